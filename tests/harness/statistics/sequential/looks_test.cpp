#include "harness/statistics/sequential/looks.h"

#include <gtest/gtest.h>

#include <numeric>

#include "harness/statistics/power.h"
#include "harness/statistics/sequential/sequential_power.h"
#include "harness/statistics/sequential/sequential_sign_flip.h"

namespace ablate::statistics {
namespace {

TEST(Looks, GoFromTheFirstToTheCapInGroups) {
  EXPECT_EQ(looks_between(8, 4, 20), (Looks{8, 12, 16, 20}));
  EXPECT_EQ(looks_between(8, 4, 18), (Looks{8, 12, 16, 18})) << "the last group is smaller";
  EXPECT_EQ(looks_between(8, 4, 8), Looks{8});
}

TEST(Looks, WeightsAreTheFractionsOfSeedsAndAddUpToOne) {
  const std::vector<double> weights = look_weights({8, 12, 16, 24});
  EXPECT_DOUBLE_EQ(weights[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(weights[3], 1.0 / 3);
  EXPECT_DOUBLE_EQ(std::accumulate(weights.begin(), weights.end(), 0.0), 1);
  EXPECT_EQ(look_weights({7}), std::vector<double>{1});
}

TEST(Looks, TheFirstOneCanFindADifferenceWithTheFewestSeedsAndNoFewer) {
  for (const std::int64_t cap : {8, 16, 24, 40})
    for (const double level : {.05, .05 / 4, .05 / 13}) {
      const auto fewest = fewest_for_first_look(cap, level);
      if (!fewest) continue;
      const auto p_of_equals = [&](std::int64_t seeds) {
        const std::vector<double> weights = look_weights(looks_between(seeds, 4, cap));
        return sequential_sign_flip_p({std::vector<double>(static_cast<std::size_t>(seeds), 1.0)},
                                      weights);
      };
      EXPECT_LT(p_of_equals(*fewest), level);
      EXPECT_GE(p_of_equals(*fewest - 1), level);
    }
  EXPECT_FALSE(fewest_for_first_look(5, .05)) << "five seeds cannot reach .05 even in one look";
  EXPECT_EQ(fewest_for_first_look(6, .05), 6);
}

TEST(SequentialOutcome, WithOneLookHasThePowerOfThePlainTest) {
  // Four standard errors of 1,000 runs at .8: .05; of the 4,096 of the other: .025.
  const SequentialOutcome one = sequential_outcome({8}, .05, 1.2);
  EXPECT_NEAR(one.found, sign_flip_power(8, .05, 1.2), .075);
  EXPECT_EQ(one.seeds, 8);
}

TEST(SequentialOutcome, StopsEarlierTheLargerTheEffect) {
  const Looks looks = {8, 12, 16, 20, 24};
  double previous_seeds = 25;
  double previous_found = 0;
  for (const double effect : {0.0, .6, 1.0, 2.0}) {
    const SequentialOutcome outcome = sequential_outcome(looks, .05, effect);
    EXPECT_LT(outcome.seeds, previous_seeds) << effect;
    EXPECT_GT(outcome.found, previous_found) << effect;
    previous_seeds = outcome.seeds;
    previous_found = outcome.found;
  }
  EXPECT_GT(previous_found, .99);
  EXPECT_LT(previous_seeds, 9);
  EXPECT_LT(sequential_outcome(looks, .05, 0).found, .05 + .028) << "four standard errors";
}

}  // namespace
}  // namespace ablate::statistics
