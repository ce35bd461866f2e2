#include "harness/plan/pair.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

TEST(Pair, LetsAContinuationSeeLessButNothingInPlace) {
  const Offer causal{.causal = true, .bidirectional = false};
  Needs needs{.attention = Attention::bidirectional, .alignment = Alignment::continuation};
  EXPECT_EQ(mismatch(needs, causal), "");
  needs.alignment = Alignment::in_place;
  EXPECT_EQ(mismatch(needs, causal),
            "it predicts in place and reads in both directions; the backbone is causal");
  EXPECT_EQ(mismatch(needs, {}), "");
}

TEST(Pair, NeverShowsMoreThanTheObjectiveAllows) {
  const Offer both_ways{.causal = false, .bidirectional = true};
  EXPECT_EQ(mismatch({.attention = Attention::causal}, both_ways),
            "it may see nothing but the past; the backbone reads in both directions");
}

TEST(Pair, AsksForEveryHead) {
  EXPECT_EQ(mismatch({.heads = {HeadNeed{}, HeadNeed{Head::pair}}}, {}),
            "it needs a pair head, which the backbone does not have");
  EXPECT_EQ(mismatch({.second_network = true}, {}),
            "it needs a second network, which no backbone has yet");
}

}  // namespace
}  // namespace ablate
