// Properties of the forgetting probe, with networks whose predictions are known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using testing::exact_rule;
using testing::objective_named;
using testing::Oracle;
using testing::SmallWorld;
using testing::trial_of;

const Json kNextToken = {{"type", "causal_lm"}};
const Json kOtherSeed = {{"seed", 9}};

/// A phase on a world, at whose end the model is the exact predictor of `knows`.
SubjectPhase phase_on(const std::string& name, const SmallWorld& world, const SmallWorld& knows) {
  const ObjectiveSpec& spec = objective_named("causal_lm");
  plan::ResolvedPhase phase =
      testing::phase_of(trial_of(kNextToken), testing::any_model(world.vocabulary()));
  phase.name = name;
  return {phase, world.corpus, std::make_shared<const data::Language>(world.language),
          [&knows, &spec]() -> std::unique_ptr<train::Network> {
            const Chain& chain = knows.language.chain();
            return std::make_unique<Oracle>(
                chain, exact_rule(chain, spec, Params(spec.params, Json::object())));
          }};
}

Measurement measured(const SmallWorld& world, std::vector<SubjectPhase> phases) {
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  const plan::ResolvedPhase phase = testing::phase_of(trial_of(kNextToken), model);
  Oracle network(testing::uniform_rule(world.vocabulary()));
  const Subject subject{.seed = 1,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = network,
                        .phases = std::move(phases)};
  return measure(subject, testing::probe_of({{"type", "forgetting"}, {"texts", 60}}), {});
}

TEST(Forgetting, IsWhatTheFirstCorpusCostsMoreAfterTheLastPhase) {
  const SmallWorld general, domain(kOtherSeed);
  const auto metrics =
      measured(general, {phase_on("general", general, general), phase_on("domain", domain, domain)})
          .metrics;
  // The exact predictor of a corpus has no excess there, and one on the other.
  EXPECT_NEAR(metrics.at("forgetting.excess_general_after_general"), 0, 1e-5);
  EXPECT_NEAR(metrics.at("forgetting.excess_domain_after_domain"), 0, 1e-5);
  EXPECT_GT(metrics.at("forgetting.excess_general_after_domain"), 0.05);
  EXPECT_GT(metrics.at("forgetting.excess_domain_after_general"), 0.05);
  EXPECT_DOUBLE_EQ(metrics.at("forgetting.increase_general"),
                   metrics.at("forgetting.loss_general_after_domain") -
                       metrics.at("forgetting.loss_general_after_general"));
  // On one set of examples the optimum cancels.
  EXPECT_NEAR(metrics.at("forgetting.increase_general"),
              metrics.at("forgetting.excess_general_after_domain"), 1e-5);
}

TEST(Forgetting, IsNoneWhereTheModelStaysAsItIs) {
  const SmallWorld general, domain(kOtherSeed);
  const auto metrics = measured(general, {phase_on("general", general, general),
                                          phase_on("domain", domain, general)})
                           .metrics;
  EXPECT_EQ(metrics.at("forgetting.increase_general"), 0);
  EXPECT_EQ(metrics.at("forgetting.loss_domain_after_domain"),
            metrics.at("forgetting.loss_domain_after_general"));
}

TEST(Forgetting, MeasuresNothingOfATrialWithoutPhases) {
  const SmallWorld world;
  EXPECT_TRUE(measured(world, {}).metrics.empty());
}

}  // namespace
}  // namespace ablate::probes
