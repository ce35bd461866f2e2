// Which backbones can host which objectives.

#include "harness/plan/resolve/pair.h"

#include <gtest/gtest.h>

namespace ablate::plan {
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

TEST(Pair, KeepsPredictionsInPlaceAndContinuationsApartWhereTheBackboneDoes) {
  const Needs in_place{.attention = Attention::bidirectional, .alignment = Alignment::in_place};
  EXPECT_EQ(mismatch(in_place, {.in_place = false}),
            "it predicts in place; the backbone predicts what follows its inputs");
  EXPECT_EQ(mismatch({}, {.continuation = false}),
            "it predicts what follows its inputs; the backbone predicts in place");
}

TEST(Pair, GivesAnEncoderSomethingToRead) {
  const Offer two_stacks{.in_place = false, .encoder = true};
  EXPECT_EQ(mismatch({}, two_stacks), "");
  EXPECT_EQ(mismatch({.reads = false}, two_stacks),
            "it has no inputs that an encoder could read; take an objective that reads some");
}

TEST(Pair, HostsAnObjectiveAsTheBackboneOffers) {
  const Needs prefix{.attention = Attention::bidirectional};
  EXPECT_EQ(hosted(prefix, {}).attention, Attention::bidirectional);
  EXPECT_EQ(hosted(prefix, {.bidirectional = false}).attention, Attention::causal);
  EXPECT_FALSE(hosted(prefix, {}).separate_inputs);
  EXPECT_TRUE(hosted(prefix, {.encoder = true}).separate_inputs);
}

}  // namespace
}  // namespace ablate::plan
