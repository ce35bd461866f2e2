// Properties of the learning rate schedule.

#include "harness/train/optimizer/schedule.h"

#include <gtest/gtest.h>

#include "harness/plan/rows/train_params.h"

namespace ablate::train {
namespace {

const Decay kShapes[] = {Decay::constant, Decay::cosine, Decay::linear, Decay::warmup_stable_decay};

TEST(Schedule, RisesFromZeroToThePeakInAStraightLine) {
  for (const Decay shape : kShapes) {
    const Schedule schedule{2.0, shape, 0.1, 0.2, 0.0};
    EXPECT_DOUBLE_EQ(schedule.learning_rate(0), 0);
    EXPECT_DOUBLE_EQ(schedule.learning_rate(0.05), 1);
    EXPECT_NEAR(schedule.learning_rate(0.1), 2, 1e-12);
  }
}

TEST(Schedule, NeverExceedsThePeakNorFallsBelowTheFinalRate) {
  for (const Decay shape : kShapes)
    for (const double warmup : {0.0, 0.3, 1.0})
      for (int i = 0; i <= 100; ++i) {
        const double progress = i / 100.0;
        const double rate = Schedule{3.0, shape, warmup, 0.0, 0.1}.learning_rate(progress);
        EXPECT_LE(rate, 3.0 + 1e-12);
        EXPECT_GE(rate, progress >= warmup ? 0.3 - 1e-12 : 0.0) << progress;
      }
}

TEST(Schedule, EndsAtTheFinalRateWhereItDecays) {
  for (const Decay shape : kShapes) {
    const double last = Schedule{1.0, shape, 0.1, 0.5, 0.25}.learning_rate(1);
    EXPECT_NEAR(last, shape == Decay::constant ? 1.0 : 0.25, 1e-12);
  }
}

TEST(Schedule, IsHalfWayDownInTheMiddleOfTheFall) {
  EXPECT_NEAR((Schedule{1, Decay::cosine, 0.2, 0, 0}.learning_rate(0.6)), 0.5, 1e-12);
  EXPECT_NEAR((Schedule{1, Decay::linear, 0.2, 0, 0}.learning_rate(0.6)), 0.5, 1e-12);
  EXPECT_NEAR((Schedule{1, Decay::warmup_stable_decay, 0.2, 0.4, 0}.learning_rate(0.8)), 0.5,
              1e-12);
  EXPECT_NEAR((Schedule{1, Decay::warmup_stable_decay, 0.2, 0.4, 0}.learning_rate(0.6)), 1.0,
              1e-12);
}

TEST(Schedule, RefusesAWarmUpAndADecayThatDoNotFit) {
  const Params train(plan::train_params(), {{"budget", {{"steps", 1}}},
                                            {"schedule", "warmup_stable_decay"},
                                            {"warmup", 0.7},
                                            {"decay", 0.5}});
  EXPECT_THROW(schedule_of(train), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::train
