#include "harness/statistics/one_sample/ranks.h"

#include <gtest/gtest.h>

namespace ablate::statistics {
namespace {

TEST(Ranks, OfTiesAreTheirMean) {
  EXPECT_EQ(midranks(std::vector<double>{10, 30, 20, 20}), (std::vector<double>{1, 4, 2.5, 2.5}));
  EXPECT_EQ(midranks(std::vector<double>(3, 7.0)), (std::vector<double>{2, 2, 2}));
  EXPECT_TRUE(midranks({}).empty());
}

}  // namespace
}  // namespace ablate::statistics
