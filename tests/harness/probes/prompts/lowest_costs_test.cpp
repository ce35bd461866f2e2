// Which answer is the likeliest, where the costs are those of a network in single precision.

#include "harness/probes/prompts/lowest_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;

TEST(LowestCosts, ShareTheItem) {
  EXPECT_THAT(lowest_shared(std::vector<double>{2, 1, 3}), ElementsAre(0, 1, 0));
  EXPECT_THAT(lowest_shared(std::vector<double>{1, 2, 1}), ElementsAre(0.5, 0, 0.5));
}

TEST(LowestCosts, AreSharedWithinTheRoundingOfSinglePrecision) {
  const double cost = 31.25, rounded = static_cast<double>(31.25f * (1 + 4e-7f));
  EXPECT_THAT(lowest_shared(std::vector<double>{rounded, cost}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(lowest_shared(std::vector<double>{cost + 1e-3, cost}), ElementsAre(0, 1));
}

}  // namespace
}  // namespace ablate::probes
