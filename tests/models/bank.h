// Small banks and their inputs, for the tests of models/.

#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include "harness/base/rng.h"
#include "harness/train/network/network.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"

namespace ablate::models::testing {

inline const Vocabulary kVocabulary = {.ordinary = 13, .sentinels = 3};

/// The parameters of a small transformer.
inline Json tiny() { return {{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}}; }

/// Settings of a transformer with these parameters and the test vocabulary.
inline train::NetworkSettings settings(Json model, std::int64_t lanes = 1) {
  train::NetworkSettings made;
  made.model = Params(transformer_spec().params, model);
  made.hosting.vocabulary = kVocabulary;
  made.lanes = lanes;
  return made;
}

/// Gives matrices that start at zero other values: of a layer that adds nothing every law would hold.
inline void stir(train::Network& network, const std::vector<std::uint64_t>& seeds) {
  const at::NoGradGuard no_gradient;
  for (train::Parameter& parameter : network.parameters()) {
    if (parameter.distribution || parameter.deviation != 0 || parameter.initial != 0) continue;
    if (parameter.value.dim() != 3) continue;
    for (std::size_t lane = 0; lane < seeds.size(); ++lane) {
      const at::Tensor values = parameter.value.select(0, static_cast<std::int64_t>(lane));
      Rng rng = Rng(seeds[lane]).fork(parameter.name);
      float* const value = values.data_ptr<float>();
      for (std::int64_t i = 0; i < values.numel(); ++i)
        value[i] = static_cast<float>(0.3 * rng.normal());
    }
  }
  network.parameters_changed();
}

/// An initialised transformer; missing seeds are 1, 2, ... by lane.
inline std::unique_ptr<train::Network> bank(const train::NetworkSettings& settings,
                                            std::vector<std::uint64_t> seeds = {}) {
  while (static_cast<std::int64_t>(seeds.size()) < settings.lanes)
    seeds.push_back(seeds.size() + 1);
  auto network = build_network("transformer", settings);
  train::initialise(*network, seeds);
  stir(*network, seeds);
  return network;
}

/// Patterns of visibility.
enum class Seen { causal, bidirectional, documents, prefix, anything, split };

/// The interval that position `i` of `time` sees, of a split view the first. `anything` includes empty
/// intervals.
inline std::pair<std::int64_t, std::int64_t> interval(Seen seen, std::int64_t i, std::int64_t time,
                                                      Rng& rng) {
  const std::int64_t cut = time / 3;
  switch (seen) {
    case Seen::causal:
      return {0, i + 1};
    case Seen::bidirectional:
      return {0, time};
    case Seen::documents:
      return i < cut ? std::pair{std::int64_t{0}, cut} : std::pair{cut, i + 1};
    case Seen::prefix:
      return {0, std::max(i + 1, cut)};
    case Seen::anything:
    case Seen::split:
      break;
  }
  const std::int64_t from = rng.below(time + 1);
  return {from, from + rng.below(time + 1 - from)};
}

/// Random ids with the given visibility, [lanes, batch, time].
inline train::Inputs inputs(Seen seen, std::int64_t lanes, std::int64_t batch, std::int64_t time,
                            std::uint64_t seed = 1) {
  const at::TensorOptions options = at::TensorOptions().dtype(at::kLong);
  train::Inputs made;
  made.tokens = at::empty({lanes, batch, time}, options);
  made.positions = at::empty({lanes, batch, time}, options);
  made.visible_from = at::empty({lanes, batch, time}, options);
  made.visible_until = at::empty({lanes, batch, time}, options);
  Rng rng(seed);
  for (std::int64_t row = 0; row < lanes * batch; ++row)
    for (std::int64_t i = 0; i < time; ++i) {
      const auto [from, until] = interval(seen, i, time, rng);
      const std::int64_t index = row * time + i;
      made.tokens.data_ptr<std::int64_t>()[index] = rng.below(kVocabulary.size());
      made.positions.data_ptr<std::int64_t>()[index] = i;
      made.visible_from.data_ptr<std::int64_t>()[index] = from;
      made.visible_until.data_ptr<std::int64_t>()[index] = until;
    }
  if (seen != Seen::split) return made;
  made.also_from = at::zeros_like(made.visible_from);
  made.also_until = at::zeros_like(made.visible_from);
  for (std::int64_t i = 0; i < made.tokens.numel(); ++i) {
    const std::int64_t after = made.visible_until.data_ptr<std::int64_t>()[i];
    if (after >= time || made.visible_from.data_ptr<std::int64_t>()[i] == after) continue;
    const std::int64_t from = after + rng.below(time - after);
    made.also_from.data_ptr<std::int64_t>()[i] = from;
    made.also_until.data_ptr<std::int64_t>()[i] = from + 1 + rng.below(time - from);
  }
  return made;
}

/// Random targets at a fraction of the positions of each lane; below 1, lanes have different
/// counts.
inline std::vector<train::LaneTargets> targets(const train::Inputs& inputs, double fraction,
                                               std::uint64_t seed = 2) {
  std::vector<train::LaneTargets> made;
  for (std::int64_t lane = 0; lane < inputs.tokens.size(0); ++lane) {
    Rng rng = Rng(seed).fork(static_cast<std::uint64_t>(lane));
    std::vector<std::int64_t> positions, ids;
    std::vector<float> weights;
    for (std::int64_t i = 0; i < inputs.tokens[lane].numel(); ++i)
      if (rng.probability(fraction)) {
        positions.push_back(i);
        ids.push_back(rng.below(kVocabulary.size()));
        weights.push_back(static_cast<float>(0.5 + rng.uniform()));
      }
    const auto count = static_cast<std::int64_t>(positions.size());
    made.push_back({at::from_blob(positions.data(), {count}, at::kLong).clone(),
                    at::from_blob(ids.data(), {count}, at::kLong).clone(),
                    at::from_blob(weights.data(), {count}, at::kFloat).clone()});
  }
  return made;
}

/// The inputs of a single lane.
inline train::Inputs lane_of(const train::Inputs& inputs, std::int64_t lane) {
  train::Inputs made = inputs;
  made.tokens = inputs.tokens.narrow(0, lane, 1).clone();
  made.positions = inputs.positions.narrow(0, lane, 1).clone();
  made.visible_from = inputs.visible_from.narrow(0, lane, 1).clone();
  made.visible_until = inputs.visible_until.narrow(0, lane, 1).clone();
  for (at::Tensor train::Inputs::*each :
       {&train::Inputs::also_from, &train::Inputs::also_until, &train::Inputs::inner})
    if ((inputs.*each).defined()) made.*each = (inputs.*each).narrow(0, lane, 1).clone();
  if (!inputs.seeds.empty()) made.seeds = {inputs.seeds[static_cast<std::size_t>(lane)]};
  return made;
}

/// The sum of a lane's target weights.
inline double total_weight(const train::LaneTargets& targets) {
  return targets.weights.sum().item<double>();
}

/// Every combination of the options of a transformer, over `base`.
inline std::vector<Json> every_option(const Json& base) {
  std::vector<Json> made;
  for (const char* positions : {"rotary", "learned"})
    for (const char* norm : {"layer_norm", "rms_norm"})
      for (const char* activation : {"gelu", "swiglu"})
        for (const char* head : {"free", "tied"}) {
          Json model = base;
          model.update({{"positions", positions},
                        {"norm", norm},
                        {"activation", activation},
                        {"head", head}});
          made.push_back(model);
        }
  for (const char* positions : {"rotary", "alibi", "none"}) {
    Json model = base;
    model.update({{"positions", positions}, {"query_key_norm", true}});
    made.push_back(model);
  }
  for (const Json& grouped : {Json{{"heads", 4}, {"key_value_heads", 2}},
                              Json{{"key_value_heads", 1}, {"query_key_norm", true}}}) {
    made.push_back(base);
    made.back().update(grouped);
  }
  return made;
}

}  // namespace ablate::models::testing
