// Spikes, divergence, and the means between points of the curve.

#include "harness/train/lane/monitor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::train {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A loss of `mean` nats per target on two targets.
Loss of(double mean) { return {2 * mean, 2}; }

TEST(Monitor, ReportsTheMeanByWeightSinceTheLastPoint) {
  Monitor monitor;
  monitor.add({6, 2}, 1, false);
  monitor.add({2, 6}, 3, false);
  const Monitor::Stretch stretch = monitor.take();
  EXPECT_DOUBLE_EQ(stretch.mean().value(), 1);
  EXPECT_DOUBLE_EQ(stretch.gradient_norm, 3);
  EXPECT_EQ(monitor.take().loss.weight, 0);
}

// Diffusion divides by the number of all tokens, whether any of them is masked or not.
TEST(Monitor, KnowsNoLossOfStepsWithoutATarget) {
  for (const double denominator : {0., 8.}) {
    Monitor monitor;
    monitor.add({0, denominator}, 0, true, false);
    EXPECT_FALSE(monitor.take().mean());
    monitor.add(of(2), 1, true);
    EXPECT_EQ(monitor.initial(), 2);
    monitor.add({0, denominator}, 0, true, false);
    const Monitor restored = Monitor::from_json(monitor.json());
    EXPECT_DOUBLE_EQ(monitor.take().mean().value(), 4 / (2 + denominator));
    EXPECT_TRUE(Monitor(restored).take().mean());
    for (int step = 0; step < 60; ++step) monitor.add(of(2), 1, true);
    EXPECT_EQ(monitor.divergence(), "") << "2 is not above an initial loss of 0: there is none";
  }
}

TEST(Monitor, BeginsAnewWithAPhaseAndToleratesTheLargerOfTheFirstLosses) {
  Monitor monitor;
  for (int step = 0; step < 100; ++step) monitor.add(of(2 - 0.01 * step), 1, true);
  monitor.take();
  monitor.begin_phase();
  for (int step = 0; step < 100; ++step) monitor.add(of(step == 0 ? 2.5 : 2.55), 1, true);
  EXPECT_EQ(monitor.divergence(), "") << "2.55 is within 1.05 of the second phase's 2.5";
  EXPECT_FALSE(monitor.take().spike) << "another corpus costs more from its first step";
  monitor.begin_phase();
  for (int step = 0; step < 50; ++step) monitor.add(of(step == 0 ? 1 : 2.55), 1, true);
  EXPECT_EQ(monitor.divergence(), "") << "what the second phase began with is tolerated";
  for (int step = 0; step < 100; ++step) monitor.add(of(3.2), 1, true);
  EXPECT_NE(monitor.divergence(), "");
}

TEST(Monitor, FlagsAJumpAndNotTheNoise) {
  Monitor monitor;
  Rng rng(1);
  for (int i = 0; i < 500; ++i) monitor.add(of(3 + 0.1 * rng.normal()), 1, true);
  EXPECT_FALSE(monitor.take().spike);  // 6 of its own standard deviations: one in 10^9
  monitor.add(of(4), 1, true);
  EXPECT_TRUE(monitor.take().spike);
  monitor.add(of(3), 1, true);
  EXPECT_FALSE(monitor.take().spike);
  monitor.add(of(4), 1, true);
  EXPECT_TRUE(monitor.take().spike) << "a spike hides the next one";
}

TEST(Monitor, SaysWhichStepSpikedAndWithWhatLoss) {
  Monitor monitor;
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    monitor.add(of(3 + 0.1 * rng.normal()), 1, true);
    EXPECT_FALSE(monitor.spike()) << i;
  }
  monitor.add(of(4.5), 1, true);
  EXPECT_EQ(monitor.spike(), 4.5);
  monitor.add(of(3), 1, true);
  EXPECT_FALSE(monitor.spike()) << "of the step before";
}

/// The steps that are flagged of a falling loss with noise of .05 nats, to which `size` is added in the
/// five steps from `at` on.
std::vector<int> spikes_of_falling_loss(int at, double size) {
  Monitor monitor;
  Rng rng(3);
  std::vector<int> flagged;
  for (int step = 1; step <= 600; ++step) {
    const double jump = at <= step && step < at + 5 ? size : 0;
    const double fall = 1.8 + 3.7 * std::exp(-step / 30.0);
    monitor.add(of(fall + 0.05 * rng.normal() + jump), 1, true);
    if (monitor.take().spike) flagged.push_back(step);
  }
  return flagged;
}

// The fall at the start is no noise: it must hide no spike that comes after it, or during it.
TEST(Monitor, FlagsAJumpOfAFallingLoss) {
  for (const int at : {60, 100, 200, 400})
    EXPECT_EQ(spikes_of_falling_loss(at, 1),
              (std::vector<int>{at, at + 1, at + 2, at + 3, at + 4}));
  EXPECT_EQ(spikes_of_falling_loss(0, 0), std::vector<int>());
}

/// Whether a loss is flagged that follows `before` steps from 5 nats on and 3 after the first.
bool flagged_after(int before, double loss) {
  Monitor monitor;
  monitor.add(of(5), 1, true);
  for (int step = 1; step < before; ++step) monitor.add(of(3 + 0.01 * (step % 2)), 1, true);
  monitor.add(of(loss), 1, true);
  return monitor.take().spike;
}

TEST(Monitor, FlagsInTheFirstTwentyStepsOnlyWhatIsAboveTheInitialLoss) {
  EXPECT_TRUE(flagged_after(20, 4.8));
  EXPECT_FALSE(flagged_after(19, 4.8));
  EXPECT_TRUE(flagged_after(19, 9));
  EXPECT_TRUE(flagged_after(5, 9));
  EXPECT_FALSE(flagged_after(4, 9)) << "too few steps to tell what is usual";
}

TEST(Monitor, GoesOnFromACheckpointOfAnOlderProgram) {
  Monitor monitor;
  for (int i = 0; i < 100; ++i) monitor.add(of(3 + 0.1 * (i % 2)), 1, true);
  Json older = monitor.json();
  for (const char* key : {"fast_mean", "change", "previous", "noise"}) older.erase(key);
  older["deviation"] = 0.05;
  Monitor read = Monitor::from_json(older);
  for (int i = 0; i < 100; ++i) read.add(of(3 + 0.1 * (i % 2)), 1, true);
  EXPECT_FALSE(read.take().spike);
  read.add(of(4), 1, true);
  EXPECT_TRUE(read.take().spike);
}

TEST(Monitor, DivergesWithTheFirstLossThatIsNotFinite) {
  for (const double bad : {kInfinity, std::nan("")}) {
    Monitor monitor;
    monitor.add(of(1), 1, false);
    monitor.add({bad, 2}, 1, false);
    EXPECT_EQ(monitor.divergence(), "the loss is not finite at step 2");
  }
}

TEST(Monitor, DivergesWithAGradientThatIsNotFinite) {
  Monitor monitor;
  monitor.add(of(1), kInfinity, false);
  EXPECT_EQ(monitor.divergence(), "the gradient is not finite at step 1");
}

/// Steps until a lane at `level` times its initial loss has diverged, at most 1000.
int steps_to_divergence(double level, bool warm) {
  Monitor monitor;
  monitor.add(of(2), 1, false);
  for (int step = 1; step <= 1000; ++step) {
    monitor.add(of(2 * level), 1, warm);
    if (!monitor.divergence().empty()) return step;
  }
  return 0;
}

TEST(Monitor, DivergesWhereFiftyStepsAreAboveTheInitialLossAfterWarmUp) {
  EXPECT_EQ(steps_to_divergence(1.06, true), 50);
  EXPECT_EQ(steps_to_divergence(1.04, true), 0);
  EXPECT_EQ(steps_to_divergence(1.06, false), 0);
}

/// Seeds of 200 at which a lane that learns nothing diverges in 1,000 steps; its losses have mean 4 and
/// a standard deviation of `noise`.
int diverged_by_chance(double noise) {
  int diverged = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Monitor monitor;
    Rng rng(seed);
    for (int step = 0; step < 1000; ++step) monitor.add(of(4 + noise * rng.normal()), 1, step > 10);
    diverged += monitor.divergence().empty() ? 0 : 1;
  }
  return diverged;
}

// The bound of uniform noise: losses of 4 +- 0.8 at an untrained model, of which the first may be 3.6.
TEST(Monitor, TakesNoFirstLossThatWasLowByChanceForDivergence) {
  for (const double noise : {0.05, 0.2, 0.8}) EXPECT_EQ(diverged_by_chance(noise), 0) << noise;
}

TEST(Monitor, DivergesAboveThreeInitialLossesHoweverNoisyTheFirstSteps) {
  Monitor monitor;
  for (int step = 0; step < 100; ++step) monitor.add(of(step % 2 == 0 ? 4 : 40), 1, true);
  EXPECT_NE(monitor.divergence(), "");
}

TEST(Monitor, JudgesNoStepThatScoresNothing) {
  Monitor monitor;
  for (int i = 0; i < 200; ++i) monitor.add({0, 0}, 0, true);
  monitor.add(of(2), 1, true);
  EXPECT_EQ(monitor.initial(), 2);
  EXPECT_TRUE(monitor.divergence().empty());
}

TEST(Monitor, GoesOnFromWhatItStoredAsIfNothingHadHappened) {
  Monitor whole, first;
  Rng rng(2);
  const auto feed = [](Monitor& monitor, Rng& numbers) {
    monitor.add(of(3 + numbers.normal() * numbers.uniform()), numbers.uniform(), true);
  };
  for (int i = 0; i < 77; ++i) feed(whole, rng);
  Rng again(2);
  for (int i = 0; i < 77; ++i) feed(first, again);
  Monitor second = Monitor::from_json(Json::parse(canonical(first.json())));
  for (int i = 0; i < 77; ++i) feed(whole, rng), feed(second, again);
  EXPECT_EQ(whole.json(), second.json());
}

}  // namespace
}  // namespace ablate::train
