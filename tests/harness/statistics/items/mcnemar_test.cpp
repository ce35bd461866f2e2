#include "harness/statistics/items/mcnemar.h"

#include <gtest/gtest.h>

namespace ablate::statistics {
namespace {

TEST(McNemar, AgreesWithTheReference) {
  EXPECT_NEAR(mcnemar_p(12, 29), .011507789735333063, 1e-15);
}

TEST(McNemar, KnowsNoOrder) { EXPECT_EQ(mcnemar_p(12, 29), mcnemar_p(29, 12)); }

TEST(McNemar, SaysNothingWhereBothAreRightAlike) {
  EXPECT_EQ(mcnemar_p(0, 0), 1);
  EXPECT_EQ(mcnemar_p(7, 7), 1);
  EXPECT_DOUBLE_EQ(mcnemar_p(0, 6), 2.0 / 64);
}

}  // namespace
}  // namespace ablate::statistics
