// Tiny trials on a text that can be learnt, for the tests of training.

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/phase.h"
#include "harness/store/journal/trial_folders.h"
#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/trainer.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/temporary_folder.h"

namespace ablate::train::testing {

inline const Vocabulary kWords = {.ordinary = 16, .sentinels = 0};
constexpr std::int64_t kRows = 3, kTime = 12;

/// A folder that is gone with the test.
/// A trial of so many steps; `train` over the defaults. Its id is its name.
inline plan::Trial trial(const std::string& id, std::int64_t seed, std::int64_t steps,
                         const Json& train = Json::object()) {
  Json given = {{"budget", {{"steps", std::max<std::int64_t>(steps, 1)}}},
                {"batch", kRows},
                {"curve_points", 5}};
  given.update(train);
  plan::Trial made;
  made.id = id;
  made.arm = "arm";
  made.seed = seed;
  made.steps = steps;
  made.config = Json{{"train", Params(plan::train_params(), given).json()},
                     {"objective", {{"type", "causal_lm"}}}};
  made.parameters = {.total = 100, .embeddings = 40, .at_inference = 100};
  return made;
}

/// Rows that go up by one with a few slips. Every third lane, by seed, predicts fewer targets and
/// sees both ways, so that lanes of a bank differ as causal and masked ones do.
/// Another phase reads other rows, each second one shorter ones.
inline data::SampledBatch drawn(std::int64_t seed, std::int64_t step, std::int64_t phase = 0) {
  const bool sparse = seed % 3 == 0;
  const std::int64_t time = phase % 2 == 0 ? kTime : kTime / 2;
  Rng rng(static_cast<std::uint64_t>(seed), Stream::data_order, static_cast<std::uint64_t>(step),
          static_cast<std::uint64_t>(phase));
  data::SampledBatch made;
  made.text_tokens = kRows * time;
  made.batch.rows = kRows;
  made.batch.time = time;
  made.batch.scored.emplace_back();
  data::Scored& scored = made.batch.scored[0];
  static const std::vector<Token> text(kTime, special_count);
  made.examples.resize(1);  // enough to be counted: its targets are the step's number
  made.examples[0].text.tokens = text;
  made.examples[0].example.targets.assign(static_cast<std::size_t>(step % 5), special_count);
  made.examples[0].example.weights.assign(static_cast<std::size_t>(step % 5), 1);
  for (std::int64_t row = 0; row < kRows; ++row) {
    Token next = special_count + static_cast<Token>(rng.below(kWords.ordinary));
    for (std::int64_t t = 0; t < time; ++t) {
      const Token token = next;
      next = special_count + (rng.probability(0.1) ? static_cast<Token>(rng.below(kWords.ordinary))
                                                   : (token - special_count + 1) % kWords.ordinary);
      made.batch.tokens.push_back(token);
      made.batch.positions.push_back(static_cast<std::int32_t>(t));
      made.batch.visible_from.push_back(0);
      made.batch.visible_until.push_back(static_cast<std::int32_t>(sparse ? time : t + 1));
      if (sparse && !rng.probability(0.3)) continue;
      scored.positions.push_back(static_cast<std::int32_t>(row * time + t));
      scored.targets.push_back(next);
      scored.weights.push_back(1);
    }
  }
  return made;
}

inline std::unique_ptr<Network> network(std::size_t lanes, const std::string& device = "cpu") {
  NetworkSettings settings;
  settings.device = device;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", kTime}});
  settings.hosting.vocabulary = kWords;
  settings.lanes = static_cast<std::int64_t>(lanes);
  return models::build_network("transformer", settings);
}

/// A trial's journal and folder below `root`, and how it is trained.
struct Place {
  Place(const std::filesystem::path& root, plan::Trial made)
      : trial(std::move(made)), folder(store::trial_folder(root, trial.id)) {
    std::filesystem::create_directories(folder);
    journal = std::make_unique<store::Journal>(folder / "journal.jsonl");
    journal->write("attempt", {{"trial", trial.id}});
  }
  TrainingLane lane() {
    TrainingLane made{&trial, journal.get(), folder};
    made.snapshots = snapshots;
    for (const plan::Phase& phase : plan::phases_of(trial))
      made.phases.push_back({.draw = [seed = trial.seed, number = std::ssize(made.phases)](
                                         std::int64_t step) { return drawn(seed, step, number); },
                             .texts = 100,
                             .cost = {.trunk_per_token = 10, .head_per_target = 1},
                             .name = phase.name,
                             .objective = phase.objective,
                             .steps = phase.steps,
                             .train = Params(plan::train_params(), phase.train)});
    return made;
  }
  TrialFiles files() { return {trial.id, folder, *journal}; }
  std::vector<Json> events(std::string_view kind) const {
    std::vector<Json> found;
    for (const Json& event : journal->events())
      if (event.at("event") == kind) found.push_back(event);
    return found;
  }
  std::vector<double> curve() const {
    std::vector<double> losses;
    for (const Json& event : events("curve"))
      losses.push_back(store::number_from_json(event.at("loss")));
    return losses;
  }

  plan::Trial trial;
  std::filesystem::path folder;
  std::unique_ptr<store::Journal> journal;
  std::set<std::int64_t> snapshots = {};  // the steps after which its weights are kept
};

/// Trains the places as one bank.
inline std::vector<TrainingResult> train_bank(std::vector<Place*> places, std::int64_t from = 0,
                                              const TrainingSettings& settings = {}) {
  std::vector<TrainingLane> lanes;
  for (Place* place : places) lanes.push_back(place->lane());
  const auto model = network(places.size(), settings.device);
  return train(*model, std::move(lanes), from, settings);
}

/// Every bit of the final weights.
inline std::string weights(const Place& place) {
  return store::Checkpoint::read(place.folder / "weights.safetensors").sha256();
}

/// Settings that stop training after so many steps, as an interruption does.
inline TrainingSettings stopping_after(int steps) {
  TrainingSettings settings;
  settings.stop = [left = steps]() mutable { return --left == 0; };
  return settings;
}

}  // namespace ablate::train::testing
