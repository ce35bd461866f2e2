// A loss is a fraction, and none where nothing is scored.

#include "harness/contract/loss.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

TEST(Loss, HasNoMeanWhereNothingIsScored) {
  Loss loss;
  EXPECT_FALSE(loss.mean());
  loss += {6, 4};
  EXPECT_EQ(loss.mean(), 1.5);
  loss += {};
  EXPECT_EQ(loss.mean(), 1.5);
}

}  // namespace
}  // namespace ablate
