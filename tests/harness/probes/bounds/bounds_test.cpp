// Under the exact predictor every bound on a likelihood is the likelihood.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

Measurement bounds_of(const SmallWorld& world, const Json& objective) {
  const ObjectiveSpec& spec = objective_named(objective.at("type").get<std::string>());
  Json own = objective;
  own.erase("type");
  Oracle exact(world.language.chain(),
               exact_rule(world.language.chain(), spec, Params(spec.params, own)));
  exact.in_double();
  return measured(world, trial_of(objective, "isolated"), exact,
                  {{"type", "bounds"}, {"documents", 12}, {"draws", 16}});
}

/// How many standard errors an estimate is from the exact value.
double errors_from_exact(const Measurement& m, const std::string& name) {
  const double error = m.metrics.at("bounds." + name + "_spread") / std::sqrt(12.0 * 16.0);
  return std::abs(m.metrics.at("bounds." + name) - m.metrics.at("bounds.exact")) / error;
}

TEST(LikelihoodBounds, AreTheExactValueUnderTheExactPredictorOfDiffusion) {
  const SmallWorld world;
  for (const Json& objective : {Json{{"type", "masked_diffusion"}},
                                Json{{"type", "permutation_lm"}, {"order", "uniform"}}}) {
    const Measurement m = bounds_of(world, objective);
    const double exact = m.metrics.at("bounds.exact");
    EXPECT_GT(exact, 1);
    for (const char* name : {"left_to_right", "random_order", "mixture_of_orders"})
      EXPECT_NEAR(m.metrics.at(std::string("bounds.") + name), exact, 1e-6)
          << objective << " " << name;
    EXPECT_NEAR(m.metrics.at("bounds.random_order_spread"), 0, 1e-6);
    EXPECT_LT(errors_from_exact(m, "by_count"), 4);
    // Times from the upper half alone give something else.
    EXPECT_GT(std::abs(m.metrics.at("bounds.half_of_times") - exact), 0.02) << objective;
    EXPECT_GT(m.metrics.at("bounds.untrained"), exact + 0.1);
    if (objective.at("type") == "masked_diffusion") {
      EXPECT_LT(errors_from_exact(m, "own"), 4);
      EXPECT_GT(m.metrics.at("bounds.own_spread"), m.metrics.at("bounds.by_count_spread"));
    } else {
      EXPECT_NEAR(m.metrics.at("bounds.own"), exact, 1e-6) << "every order comes to the same";
    }
  }
}

TEST(LikelihoodBounds, OfACausalModelAreOneNumber) {
  const SmallWorld world;
  const Measurement m = bounds_of(world, {{"type", "causal_lm"}});
  for (const char* name : {"own", "left_to_right"})
    EXPECT_NEAR(m.metrics.at(std::string("bounds.") + name), m.metrics.at("bounds.exact"), 1e-6);
  EXPECT_NEAR(m.metrics.at("bounds.own_spread"), 0, 1e-12);
  EXPECT_FALSE(m.metrics.contains("bounds.random_order"));
}

TEST(LikelihoodBounds, OfBlocksLieAboveWhatIsToldTheWholeLength) {
  const SmallWorld world;
  for (const int size : {1, 4}) {
    const Measurement m = bounds_of(world, {{"type", "block_diffusion"}, {"block", size}});
    EXPECT_GE(m.metrics.at("bounds.left_to_right"), m.metrics.at("bounds.exact") - 1e-9);
    EXPECT_LT(std::abs(m.metrics.at("bounds.own") - m.metrics.at("bounds.left_to_right")),
              4 * m.metrics.at("bounds.own_spread") / std::sqrt(12.0 * 16.0) + 1e-6);
  }
}

TEST(LikelihoodBounds, OfUniformNoiseAreHeldAgainstWhatIsToldTheLength) {
  const SmallWorld world;
  const auto exact = [&](const char* objective) {
    Oracle oracle(uniform_rule(world.vocabulary()));
    return measured(world, trial_of({{"type", objective}}, "isolated"), oracle,
                    {{"type", "bounds"}, {"documents", 12}, {"draws", 2}})
        .metrics.at("bounds.exact");
  };
  EXPECT_EQ(exact("uniform_diffusion"), exact("masked_diffusion"));
  EXPECT_NE(exact("uniform_diffusion"), exact("causal_lm"));
}

TEST(LikelihoodBounds, AreNotAskedOfModelsThatSayNone) {
  const SmallWorld world;
  Oracle oracle(uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of({{"type", "span_corruption"}}, "isolated"), oracle,
                                 {{"type", "bounds"}, {"documents", 4}});
  EXPECT_TRUE(m.metrics.empty());
}

}  // namespace
}  // namespace ablate::probes
