// Tests the project's strongest test of an objective: a model that sees its targets beats the
// optimum, and one that does not see them cannot.

#include <gtest/gtest.h>

#include "harness/data/batches/batches.h"
#include "harness/train/step/host_step.h"
#include "models/registry.h"
#include "models/specs/transformer_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::int64_t kContext = 24;

Objective honest(const Params&, const Context& context) {
  const ObjectiveSpec& spec = objective_named("masked_lm");
  const Params masks_alone(spec.params,
                           {{"rate", 0.3}, {"mask_share", 1.0}, {"random_share", 0.0}});
  return spec.build(masks_alone, context);
}

/// The same, but what is hidden stays visible. Its optimum is that of the example as it should be.
Objective leaking(const Params& params, const Context& context) {
  const Objective proper = honest(params, context);
  Objective objective = proper;
  objective.transform = [proper](const Text& text, Rng rng) {
    std::vector<Example> examples = proper.transform(text, rng);
    for (Example& example : examples) example.inputs = example.targets;
    return examples;
  };
  objective.optimum = [proper](const Chain& language, const Text& text, const Example& example) {
    Example hidden = example;
    for (std::size_t i = 0; i < hidden.weights.size(); ++i)
      if (hidden.weights[i] > 0) hidden.inputs[i] = mask_token;
    return proper.optimum(language, text, hidden);
  };
  return objective;
}

/// A small model after some steps on the objective.
std::unique_ptr<train::Network> trained(const SmallWorld& world, const Objective& objective,
                                        int steps) {
  train::NetworkSettings settings;
  settings.model = Params(models::transformer_spec().params,
                          {{"depth", 1}, {"width", 32}, {"heads", 2}, {"context", kContext}});
  settings.hosting.vocabulary = world.vocabulary();
  auto network = models::build_network("transformer", settings);
  train::initialise(*network, {1});
  train::FlatParameters parameters(network->parameters());
  train::AdamW optimizer(parameters, {train::AdamWSettings{}}, true);
  const auto step =
      train::host_step({*network, objective.needs.heads.size(), optimizer, "cpu", 0, {1}});
  const data::Batches batches(world.corpus.training(), objective,
                              {.rows = 16, .context = kContext, .seed = 1});
  for (int i = 0; i < steps; ++i) {
    const data::Batch batch = batches.step(i).batch;
    const double weight = batch.scored.front().weight();
    step->run({i, {&batch, 1}, {static_cast<float>(1 / weight)}, {1e-2}});
  }
  return network;
}

/// Excess over the optimum of a model that was trained on the objective, in its standard errors.
double excess_in_errors(Objective (*build)(const Params&, const Context&)) {
  const SmallWorld world;
  ObjectiveSpec spec = objective_named("masked_lm");
  spec.build = build;
  spec.common_settings = nullptr;
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  plan::ResolvedPhase phase =
      testing::phase_of(trial_of({{"type", "masked_lm"}}, "isolated", kContext), model);
  phase.spec = &spec;
  phase.objective = plan::hosted_objective(spec, phase.params, model, kContext);
  const Objective objective = build(Params(), {world.vocabulary(), kContext});
  const auto network = trained(world, objective, 150);
  const Subject subject{.seed = 1,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = *network,
                        .untrained = [&] { return trained(world, objective, 0); }};
  const Measurement m =
      measure(subject, testing::probe_of({{"type", "held_out"}, {"texts", 100}}), {});
  return m.metrics.at("held_out.excess") / m.metrics.at("held_out.excess_error");
}

TEST(LeakTest, CatchesAnObjectiveThatShowsItsTargets) {
  EXPECT_LT(excess_in_errors(leaking), -10);
  EXPECT_GT(excess_in_errors(honest), -3);
}

}  // namespace
}  // namespace ablate::probes
