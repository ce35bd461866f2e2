// Which backbones can host which objectives.

#include "harness/plan/resolve/pair.h"

#include <gtest/gtest.h>

#include "models/specs/head_specs.h"

namespace ablate::plan {
namespace {

const std::span<const HeadSpec> kHeads = models::head_specs();

std::string mismatch(const Needs& needs, const Offer& offer) {
  return plan::mismatch(needs, offer, kHeads);
}

Needs hosted(const Needs& needs, const Offer& offer) { return plan::hosted(needs, offer, kHeads); }

TEST(Pair, LetsAContinuationSeeLessButNothingInPlace) {
  const Offer causal{.causal = true, .bidirectional = false};
  Needs needs{.attention = Attention::bidirectional, .alignment = Alignment::continuation};
  EXPECT_EQ(mismatch(needs, causal), "");
  needs.alignment = Alignment::in_place;
  EXPECT_EQ(mismatch(needs, causal),
            "it predicts in place and reads in both directions; the backbone is causal");
  EXPECT_EQ(mismatch(needs, {}), "");
}

TEST(Pair, RefusesABackboneThatShowsLessThanTheLeast) {
  const Needs rows{.attention = Attention::bidirectional,
                   .attention_least = Attention::bidirectional};
  EXPECT_EQ(mismatch(rows, {}), "");
  EXPECT_EQ(mismatch(rows, {.causal = true, .bidirectional = false}),
            "its examples are read in both directions; the backbone is causal, and would train it "
            "on other examples");
}

TEST(Pair, NeverShowsMoreThanTheObjectiveAllows) {
  const Offer both_ways{.causal = false, .bidirectional = true};
  EXPECT_EQ(mismatch({.attention = Attention::causal}, both_ways),
            "it may see nothing but the past; the backbone reads in both directions");
}

TEST(Pair, AsksEveryHeadWhetherTheBackboneCanHaveIt) {
  const Offer two_stacks{.in_place = false, .encoder = true};
  const Needs pairs{.heads = {HeadNeed{}, HeadNeed{.kind = "pair"}}};
  EXPECT_EQ(mismatch(pairs, {}), "");
  EXPECT_EQ(mismatch(pairs, two_stacks),
            "its head for pairs reads one stack; the backbone has two");
  const Needs future{.heads = {HeadNeed{}, HeadNeed{.kind = "future_tokens"}}};
  EXPECT_EQ(mismatch(future, two_stacks),
            "its heads of future tokens start from one stack; the backbone has two");
}

TEST(Pair, KnowsTheKindsOfHeads) {
  const Needs needs{
      .heads = {HeadNeed{}, HeadNeed{.kind = "future_tokens",
                                     .params = {{"ahead", 3}, {"architecture", "sequential"}}}}};
  const Needs found = hosted(needs, {});
  EXPECT_EQ(found.heads[0].traits, (HeadTraits{}));
  EXPECT_EQ(found.heads[1].traits,
            (HeadTraits{.ahead = 3, .blocks = 1, .taken = 1, .continues = true}));
  EXPECT_EQ(found.heads[1].metric("loss"), "loss_ahead_3");
  EXPECT_EQ(found.heads[1].which(), "3 tokens ahead");
  EXPECT_THROW(found.heads[0].metric("loss"), std::logic_error);  // none after the first
  EXPECT_THROW(needs.heads[1].metric("loss"), std::logic_error);  // not looked up
  EXPECT_THROW(hosted({.heads = {HeadNeed{.kind = "tokens"}}}, {}), std::invalid_argument);
  EXPECT_THROW(hosted({.heads = {HeadNeed{.params = {{"blocks", 1}}}}}, {}), std::invalid_argument);
}

TEST(Pair, BuildsOtherNetworksForOtherHeads) {
  const Json plain = built_for({});
  EXPECT_EQ(built_for({.attention = Attention::bidirectional}), plain);
  EXPECT_NE(built_for({.heads = {HeadNeed{.params = {{"block", true}}}}}), plain);
  EXPECT_NE(built_for({.heads = {HeadNeed{}, HeadNeed{.kind = "pair"}}}), plain);
  EXPECT_NE(built_for({.separate_inputs = true}), plain);
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
  EXPECT_EQ(mismatch({.one_stack = true}, two_stacks), mismatch({.reads = false}, two_stacks));
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
