// Measures how much of the exact posterior of the language's hidden state a linear map reads off the
// hidden states of a model. Another question than which state is the most probable one: that a model
// keeps apart what it is unsure of shows here.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/core.h>

#include <numeric>
#include <optional>

#include "harness/base/time/time_spent.h"
#include "harness/probes/belief/beliefs.h"
#include "harness/probes/linear/ridge.h"
#include "harness/probes/linear/softmax_probe.h"
#include "harness/probes/linear/token_probe.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

at::Tensor tensor_of(const std::vector<double>& values, std::int64_t width) {
  return at::tensor(values, at::kDouble).view({-1, width});
}

/// `of`: makes a Matrix of the items of a split.
template <class Of>
RowSplits rows_of(const TokenSplits& splits, const Of& of) {
  const auto tensor = [&](const TokenItems& items) {
    const Matrix matrix = of(items);
    return tensor_of(matrix.values, matrix.width);
  };
  return {tensor(splits.training), tensor(splits.development), tensor(splits.test)};
}

RowSplits rows_of(const SplitFeatures& layer) {
  const auto tensor = [](const LayerFeatures& of) { return tensor_of(of.values, of.width); };
  return {tensor(layer.training), tensor(layer.development), tensor(layer.test)};
}

/// What is read off hidden states, from the layer that says most of it on the development tokens.
struct Goal {
  RowSplits targets;
  RidgeChoice best = {};
  std::int64_t layer = 0;
  Json points = Json::array();    // [layer, r2 of the test tokens]
  Json by_layer = Json::array();  // with the penalty that was chosen

  /// Whether this layer says more than those before it.
  bool consider(std::int64_t at, const RowSplits& states) {
    RidgeChoice choice = choose_ridge(states, targets);
    points.push_back({at, choice.test});
    by_layer.push_back({{"layer", at},
                        {"penalty", choice.penalty},
                        {"development", choice.development},
                        {"test", choice.test}});
    if (best.penalty > 0 && choice.development <= best.development) return false;
    best = std::move(choice);
    layer = at;
    return true;
  }

  Json json() const {
    return {{"layer", layer}, {"penalty", best.penalty}, {"by_layer", by_layer}};
  }
};

/// Returns the features of the layer that the first goal was read off.
SplitFeatures read_off(train::Network& network, const Subject& subject, const TokenSplits& splits,
                       std::span<Goal* const> goals, const ProgressSink& progress) {
  SplitFeatures of_first;
  each_token_layer(network, subject, splits, [&](const SplitFeatures& layer, double done) {
    const Spending fits(Activity::fits);
    const RowSplits states = rows_of(layer);
    for (Goal* goal : goals) {
      const bool chosen = goal->consider(layer.training.layer, states);
      if (chosen && goal == goals.front()) of_first = layer;
    }
    progress(done);
  });
  return of_first;
}

RowSplits difference(const RowSplits& from, const RowSplits& what) {
  return {from.training - what.training, from.development - what.development,
          from.test - what.test};
}

SplitProbabilities probabilities_of(const RowSplits& rows) {
  const auto values = [](const at::Tensor& of) {
    const at::Tensor flat = of.contiguous();
    return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  };
  return {rows.test.size(1), values(rows.training), values(rows.development), values(rows.test)};
}

/// The squared error of each row, summed over its entries.
std::vector<double> errors_of(const RidgeChoice& choice, const RowSplits& targets) {
  const at::Tensor errors = (targets.test - choice.predicted.test).square().sum(1).contiguous();
  return {errors.data_ptr<double>(), errors.data_ptr<double>() + errors.numel()};
}

/// The r2 of sums over composite states, such as those of a topic: `into` [composite, part].
double marginal(const RidgeChoice& choice, const RowSplits& targets, const Matrix& into) {
  const at::Tensor sums = tensor_of(into.values, into.width);
  return r_squared(choice.predicted.test.mm(sums), targets.test.mm(sums));
}

/// The goals of a network: its beliefs, those given the past alone where it sees more, and else what is
/// beyond the next token.
struct Goals {
  Goal own;
  std::optional<Goal> past, beyond;

  std::vector<Goal*> all() {
    std::vector<Goal*> goals = {&own};
    if (past) goals.push_back(&*past);
    if (beyond) goals.push_back(&*beyond);
    return goals;
  }
};

}  // namespace

Measurement measure_belief(const Subject& subject, const plan::ResolvedProbe& probe,
                           const ProgressSink& progress) {
  const TokenSplits splits = draw_emitted_splits(
      *subject.language, probe.params, subject.phase.context,
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("belief"));
  const Chain& chain = subject.language->chain();
  const Reading reading = subject.phase.objective.needs.reading();
  const Given seen = seen_by(reading);
  const bool sees_next = seen != Given::past;
  const auto given = [&](Given what) {
    return rows_of(splits, [&](const TokenItems& items) { return beliefs(chain, items, what); });
  };
  const auto tokens = [&](std::int64_t count) {
    return rows_of(
        splits, [&](const TokenItems& items) { return last_tokens(chain, items, count, reading); });
  };
  const RowSplits past = given(Given::past);
  const RowSplits own = sees_next ? given(seen) : past;

  Measurement measurement;
  auto& metrics = measurement.metrics;
  metrics["belief.token_alone"] = choose_ridge(tokens(1), own).test;
  metrics["belief.four_tokens"] = choose_ridge(tokens(4), own).test;
  Goals goals{.own = {own}, .past = {}, .beyond = {}};
  if (sees_next) {
    metrics["belief.past_alone"] = choose_ridge(past, own).test;
    goals.past = Goal{past};
  } else {
    const RowSplits laws =
        rows_of(splits, [&](const TokenItems& items) { return next_laws(chain, items); });
    const RidgeChoice by_law = choose_ridge(laws, own);
    metrics["belief.next_law"] = by_law.test;
    const RowSplits left = difference(own, by_law.predicted);
    metrics["belief.beyond_ceiling"] = choose_ridge(own, left).test;
    goals.beyond = Goal{left};
  }
  Goals untrained = goals;
  const SplitFeatures trained_layer = read_off(subject.network, subject, splits, goals.all(),
                                               [&](double fraction) { progress(fraction / 2); });
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const SplitFeatures initial_layer =
      read_off(*initial, subject, splits, untrained.all(),
               [&](double fraction) { progress(0.5 + fraction / 2); });

  const auto add_own = [&](const RidgeChoice& choice, const char* r2, const std::string& before) {
    metrics[r2] = choice.test;
    metrics[before + "topic_r2"] = marginal(choice, own, topic_of_state(chain));
    metrics[before + "state_r2"] = marginal(choice, own, state_of_state(chain));
    const std::vector<double> errors = errors_of(choice, own);
    metrics[before + "mse"] =
        std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  };
  add_own(goals.own.best, "belief.r2", "belief.");
  add_own(untrained.own.best, "belief.untrained", "belief.untrained_");
  const SplitProbabilities wanted = probabilities_of(own);
  const SoftmaxProbe fitted = fit_softmax(trained_layer, wanted);
  metrics["belief.kl"] = fitted.test;
  metrics["belief.untrained_kl"] = fit_softmax(initial_layer, wanted).test;
  measurement.details["kl"] = {{"layer", goals.own.layer}, {"penalty", fitted.penalty}};
  metrics["belief.past_r2"] = (goals.past ? *goals.past : goals.own).best.test;
  metrics["belief.untrained_past"] = (untrained.past ? *untrained.past : untrained.own).best.test;
  if (goals.beyond) {
    metrics["belief.r2_beyond"] = goals.beyond->best.test;
    metrics["belief.untrained_beyond"] = untrained.beyond->best.test;
    measurement.details["beyond"] = goals.beyond->json();
    measurement.details["absent"]["belief.past_alone"] = "its hidden states see the past alone";
  } else {
    for (const char* name : {"r2_beyond", "untrained_beyond", "beyond_ceiling", "next_law"})
      measurement.details["absent"][fmt::format("belief.{}", name)] =
          "its hidden states see the next token";
  }
  measurement.items["belief.kl"] = mean_by_document(splits.test, fitted.of_rows);
  measurement.items["belief.mse"] = mean_by_document(splits.test, errors_of(goals.own.best, own));
  measurement.details["trained"] = goals.own.json();
  measurement.details["untrained"] = untrained.own.json();
  measurement.details["curves"] = {{{"metric", "belief.r2"},
                                    {"along", "layer"},
                                    {"chosen", goals.own.layer},
                                    {"points", goals.own.points}}};
  return measurement;
}

}  // namespace ablate::probes
