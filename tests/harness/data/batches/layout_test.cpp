#include "harness/data/batches/layout.h"

#include <gmock/gmock.h>

#include <functional>

#include "models/specs/head_specs.h"
#include "tests/harness/data/tokens.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Needs causal_continuation() { return {}; }
Needs prefix_continuation() { return {.attention = Attention::bidirectional}; }
Needs in_place() {
  return {.attention = Attention::bidirectional, .alignment = Alignment::in_place};
}

Text text_of(const std::vector<Token>& tokens) { return {.tokens = tokens}; }

/// A text predicted whole, left to right.
PlacedExample continued(const std::vector<Token>& text, std::int64_t row = 0,
                        std::size_t inputs = 0) {
  const auto cut = text.begin() + static_cast<std::ptrdiff_t>(inputs);
  Example example{.inputs = {text.begin(), cut}, .targets = {cut, text.end()}};
  example.weights.assign(example.targets.size(), 1);
  settle(example, causal_continuation());
  return {text_of(text), example, row};
}

/// A text that is shown as it is and predicted where `weights` says so.
PlacedExample shown(const std::vector<Token>& text, std::vector<float> weights = {}) {
  Example example{.inputs = text, .targets = text, .weights = std::move(weights)};
  if (example.weights.empty()) example.weights.assign(text.size(), 1);
  settle(example, in_place());
  return {text_of(text), example, 0};
}

TEST(Layout, ContinuationPredictsTheNextTokenOfTheSameDocument) {
  const std::vector<Token> one = {B, 20, 21, E}, two = {B, 22, 23};
  const PlacedExample placed[] = {continued(one), continued(two)};
  const Batch batch = lay_out(placed, causal_continuation(), Packing::isolated, 1, {8, 0});
  EXPECT_THAT(batch.tokens, ElementsAre(B, 20, 21, E, B, 22, 23, P));
  EXPECT_THAT(batch.positions, ElementsAre(0, 1, 2, 3, 0, 1, 2, 0));
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 0, 0, 4, 4, 4, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(1, 2, 3, 4, 5, 6, 7, 0));
  ASSERT_EQ(batch.scored.size(), 1u);
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 1, 2, 4, 5));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(20, 21, E, 22, 23));
  EXPECT_EQ(batch.scored[0].weight(), 5);
}

TEST(Layout, JoinedContinuationSeesTheRowAndScoresNoBeginToken) {
  const std::vector<Token> window = {21, E, B, 22, 23};
  const PlacedExample placed[] = {continued(window)};
  const Batch batch = lay_out(placed, causal_continuation(), Packing::joined, 1, {6, 0});
  EXPECT_THAT(batch.positions, ElementsAre(0, 1, 2, 3, 4, 0));
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(1, 2, 3, 4, 5, 0));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 2, 3));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(E, 22, 23));
}

TEST(Layout, PrefixInputsSeeEachOtherAndTargetsThePast) {
  const std::vector<Token> text = {B, 20, 21, 22, E};
  const PlacedExample placed[] = {continued(text, 0, 3)};
  const Batch batch = lay_out(placed, prefix_continuation(), Packing::isolated, 1, {5, 0});
  EXPECT_THAT(batch.visible_until, ElementsAre(3, 3, 3, 4, 5));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(2, 3));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(22, E));
}

TEST(Layout, InPlaceSeesItsDocumentAloneWhereIsolated) {
  const std::vector<Token> window = {20, E, B, 21, 22, E, B};
  const PlacedExample placed[] = {shown(window)};
  const Batch batch = lay_out(placed, in_place(), Packing::isolated, 1, {8, 0});
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 2, 2, 2, 2, 6, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(2, 2, 6, 6, 6, 6, 7, 0));
  EXPECT_THAT(batch.positions, ElementsAre(0, 1, 0, 1, 2, 3, 0, 0));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 1, 3, 4, 5));
}

TEST(Layout, InPlaceFindsDocumentsInTheTextWhateverWasShownOfIt) {
  const std::vector<Token> window = {20, E, B, 21};
  PlacedExample placed = shown(window);
  placed.example.inputs = {E, mask_token, mask_token, B};
  const Batch batch = lay_out({&placed, 1}, in_place(), Packing::isolated, 1, {4, 0});
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(batch.visible_until, ElementsAre(2, 2, 4, 4));
}

TEST(Layout, InPlaceSeesTheRowUpToItsPadsWhereJoined) {
  const std::vector<Token> window = {20, E, B, 21};
  const PlacedExample placed[] = {shown(window)};
  const Batch batch = lay_out(placed, in_place(), Packing::joined, 1, {5, 0});
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(4, 4, 4, 4, 0));
  EXPECT_THAT(batch.positions, ElementsAre(0, 1, 2, 3, 0));
}

TEST(Layout, WeightZeroLeavesATargetOut) {
  const std::vector<Token> text = {20, 21, 22};
  const PlacedExample placed[] = {shown(text, {0, 0.5, 0})};
  const Batch batch = lay_out(placed, in_place(), Packing::isolated, 1, {3, 0});
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(1));
  EXPECT_THAT(batch.scored[0].weights, ElementsAre(0.5f));
}

TEST(Layout, GivenPositionsReplaceCountedOnes) {
  const std::vector<Token> text = {20, 21, 22};
  PlacedExample placed = shown(text);
  placed.example.positions = {2, 0, 1};
  const Batch batch = lay_out({&placed, 1}, in_place(), Packing::isolated, 1, {3, 0});
  EXPECT_THAT(batch.positions, ElementsAre(2, 0, 1));
  placed.example.positions = {3, 0, 1};
  EXPECT_THROW(lay_out({&placed, 1}, in_place(), Packing::isolated, 1, {3, 0}),
               std::invalid_argument);
}

TEST(Layout, HasOneScoredEntryForEachHeadOfTheNeeds) {
  Needs needs = in_place();
  needs.heads = known_heads({HeadNeed{}, HeadNeed{.kind = "pair"}}, models::head_specs());
  const std::vector<Token> text = {classify_token, 20};
  PlacedExample placed[] = {shown(text, {0, 0}), shown(text, {0, 1})};
  placed[0].example.labels = {{.head = 1, .at = 0, .target = 1}};
  const Batch batch = lay_out(placed, needs, Packing::padded, 1, {4, 0});
  ASSERT_EQ(batch.scored.size(), 2u);
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(3));
  EXPECT_THAT(batch.scored[1].positions, ElementsAre(0));
  EXPECT_THAT(batch.scored[1].targets, ElementsAre(1));
  EXPECT_EQ(scored_tokens(batch), 1) << "a class is no token";
  EXPECT_THROW(lay_out(placed, in_place(), Packing::padded, 1, {4, 0}), std::invalid_argument);
}

TEST(Layout, PutsLabelsWhereTheNetworkHasTheirHead) {
  Needs needs = in_place();
  needs.heads.resize(4);
  needs.parts = {0, 3};
  const std::vector<Token> text = {classify_token, 20};
  PlacedExample placed = shown(text, {0, 1});
  placed.example.labels = {{.head = 1, .at = 0, .target = 1}};
  const Batch batch = lay_out({&placed, 1}, needs, Packing::padded, 1, {2, 0});
  ASSERT_EQ(batch.scored.size(), 4u);
  EXPECT_THAT(batch.scored[1].positions, testing::IsEmpty());
  EXPECT_THAT(batch.scored[3].targets, ElementsAre(1));
  placed.example.labels[0].head = 2;
  EXPECT_THROW(lay_out({&placed, 1}, needs, Packing::padded, 1, {2, 0}), std::invalid_argument);
}

TEST(Layout, ShowsOtherTokensInPlaceOfTheTargetsOfAContinuation) {
  const std::vector<Token> text = {B, 20, 21, 22, E};
  PlacedExample placed = continued(text);
  placed.example.shown = {B, mask_token, 21, mask_token, E};
  const Batch batch = lay_out({&placed, 1}, causal_continuation(), Packing::isolated, 1, {5, 0});
  EXPECT_THAT(batch.tokens, ElementsAre(B, mask_token, 21, mask_token, E));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(20, 21, 22, E));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 1, 2, 3));

  placed.example.shown.pop_back();
  EXPECT_THROW(lay_out({&placed, 1}, causal_continuation(), Packing::isolated, 1, {5, 0}),
               std::invalid_argument);
  PlacedExample in_its_place = shown(text);
  in_its_place.example.shown = text;
  EXPECT_THROW(lay_out({&in_its_place, 1}, in_place(), Packing::isolated, 1, {5, 0}),
               std::invalid_argument);
}

TEST(Layout, ShowsADecoderTheShownTokensBehindTheBeginToken) {
  const std::vector<Token> text = {20, 21, 22, 23};
  PlacedExample placed = continued(text, 0, 1);
  placed.example.shown = {mask_token, 22, 23};
  Needs needs = prefix_continuation();
  needs.separate_inputs = true;
  const Batch batch = lay_out({&placed, 1}, needs, Packing::isolated, 1, {3, 1});
  EXPECT_THAT(batch.tokens, ElementsAre(B, mask_token, 22));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(21, 22, 23));
}

/// Two pairs of places that do not see each other, in one row.
std::vector<PlacedExample> comparing(const std::vector<Token>& text) {
  Example example{
      .inputs = text, .positions = {0, 1, 0, 1}, .sees = {{0, 2}, {0, 2}, {2, 4}, {2, 4}}};
  example.labels = {{.head = 0, .at = 0, .weight = 1, .partner = 2}};
  return {{text_of(text), example, 0}, {text_of(text), example, 0}};
}

Needs comparison() {
  Needs needs = in_place();
  needs.heads = known_heads({HeadNeed{.kind = "contrastive"}}, models::head_specs());
  return needs;
}

TEST(Layout, PlacesThatAreComparedStandWhereTheyAreReadAmongContinuations) {
  const std::vector<Token> compared = {classify_token, 20, classify_token, 21}, text = {30, 31, 32};
  std::vector<PlacedExample> placed = {comparing(compared).front(), continued(text, 1, 0)};
  Needs needs;
  needs.attention = Attention::bidirectional;
  needs.heads = known_heads({HeadNeed(), HeadNeed{.kind = "contrastive"}}, models::head_specs());
  placed[0].example.labels[0].head = 1;
  placed[0].row = 0;
  placed[1].row = 0;
  const Batch batch = lay_out(placed, needs, Packing::isolated, 1, {7, 0});
  EXPECT_THAT(batch.tokens, ElementsAre(classify_token, 20, classify_token, 21, 30, 31, 32));
  EXPECT_THAT(batch.scored[1].positions, ElementsAre(0));
  EXPECT_THAT(batch.scored[1].targets, ElementsAre(2));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(4, 5));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(31, 32));
}

TEST(Layout, AnExampleInPlaceMayHaveLabelsAloneAmongThoseThatHaveTargets) {
  const std::vector<Token> compared = {classify_token, 20, classify_token, 21};
  std::vector<PlacedExample> placed = comparing(compared);
  Needs needs = in_place();
  needs.heads = known_heads({HeadNeed(), HeadNeed{.kind = "contrastive"}}, models::head_specs());
  for (PlacedExample& each : placed) each.example.labels[0].head = 1;
  placed[1].example.labels.clear();
  placed[1].example.targets = compared;
  placed[1].example.weights = {0, 1, 0, 1};
  const Batch batch = lay_out(placed, needs, Packing::isolated, 2, {8, 0});
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(20, 21));
  EXPECT_THAT(batch.scored[1].positions, ElementsAre(0));
  needs.heads.pop_back();
  placed[0].example.labels.clear();
  EXPECT_THROW(lay_out(placed, needs, Packing::isolated, 2, {8, 0}), std::invalid_argument)
      << "where tokens are all that is predicted, they were lost";
}

TEST(Layout, TakesSightAndPartnersFromTheExample) {
  const std::vector<Token> text = {classify_token, 20, classify_token, 21};
  std::vector<PlacedExample> placed = comparing(text);
  const auto laid = [&](const Needs& needs, Packing packing) {
    return lay_out(placed, needs, packing, 2, {9, 0});
  };
  const Batch batch = laid(comparison(), Packing::isolated);
  const std::vector<std::int32_t> row(batch.visible_from.begin(), batch.visible_from.begin() + 9);
  EXPECT_THAT(row, ElementsAre(0, 0, 2, 2, 4, 4, 6, 6, 0));
  EXPECT_EQ(batch.visible_until[5], 6);
  EXPECT_EQ(batch.visible_until[6], 8);
  EXPECT_THAT(batch.primary_scored().positions, ElementsAre(0, 4));
  EXPECT_THAT(batch.primary_scored().targets, ElementsAre(2, 6));
  EXPECT_EQ(scored_tokens(batch), 0);
  EXPECT_THROW(laid(comparison(), Packing::joined), std::invalid_argument);
  EXPECT_THROW(laid(in_place(), Packing::isolated), std::invalid_argument) << "no target";

  Needs causal = comparison();
  causal.attention = Attention::causal;
  EXPECT_THROW(laid(causal, Packing::isolated), std::invalid_argument) << "place 0 sees place 1";
  const Example good = placed[0].example;
  const auto refused = [&](const std::function<void(Example&)>& spoil) {
    placed[0].example = good;
    spoil(placed[0].example);
    EXPECT_THROW(laid(comparison(), Packing::isolated), std::invalid_argument);
  };
  refused([](Example& example) { example.sees.pop_back(); });
  refused([](Example& example) { example.sees[1] = {1, 5}; });
  refused([](Example& example) { example.sees[1] = {-1, 2}; });
  refused([](Example& example) { example.sees[1] = {2, 1}; });
  refused([](Example& example) { example.labels[0].partner = 4; });
  refused([](Example& example) { example.labels[0].at = 4; });
  refused([](Example& example) { example.labels[0].head = 1; });
  refused([](Example& example) {
    example.targets = example.inputs;
    example.weights.assign(4, 1.0f);
  });
}

TEST(Layout, LetsTargetsOfAContinuationSeeWhatTheExampleSays) {
  const std::vector<Token> text = {B, 20, 21, E, B, 22, E};
  Example whole{.targets = text,
                .weights = {0, 1, 0, 0, 0, 1, 0},
                .shown = {B, mask_token, 21, E, B, mask_token, E},
                .sees = {{0, 4}, {0, 4}, {0, 4}, {0, 4}, {4, 7}, {4, 7}, {4, 7}}};
  const Example past{.targets = text, .weights = {0, 1, 1, 1, 0, 1, 1}};
  const std::vector<PlacedExample> placed = {{text_of(text), whole, 0}, {text_of(text), past, 1}};
  Needs needs = prefix_continuation();
  needs.reads = false;
  const Batch batch = lay_out(placed, needs, Packing::isolated, 2, {8, 0});
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 0, 0, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(4, 4, 4, 4, 7, 7, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0));
  EXPECT_THAT(batch.tokens, ElementsAre(B, mask_token, 21, E, B, mask_token, E, pad_token, B, 20,
                                        21, E, B, 22, E, pad_token));
  EXPECT_THAT(batch.primary_scored().positions, ElementsAre(0, 4, 8, 9, 10, 12, 13));
  EXPECT_THAT(batch.primary_scored().targets, ElementsAre(20, 22, 20, 21, E, 22, E));
  EXPECT_THROW(lay_out(placed, needs, Packing::joined, 2, {8, 0}), std::invalid_argument);
  needs.separate_inputs = true;
  EXPECT_THROW(lay_out(placed, needs, Packing::isolated, 2, {8, 8}), std::invalid_argument);
}

TEST(Layout, SaysWhichRowIsTooSmall) {
  const std::vector<Token> text = {B, 20, 21, E};
  const PlacedExample placed[] = {continued(text, 0), continued(text, 1), continued(text, 1)};
  try {
    lay_out(placed, causal_continuation(), Packing::isolated, 2, {7, 0});
    FAIL() << "8 tokens fit into 7 places";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("row 1 has 8 tokens and room for 7"));
  }
}

TEST(Layout, RefusesExamplesThatDoNotAddUp) {
  const std::vector<Token> text = {20, 21, 22};
  const auto refuses = [](const PlacedExample& placed, const Needs& needs) {
    EXPECT_THROW(lay_out({&placed, 1}, needs, Packing::isolated, 1, {8, 0}), std::invalid_argument);
  };
  PlacedExample wrong = shown(text);
  wrong.example.targets.pop_back();
  EXPECT_THROW(settle(wrong.example, in_place()), std::invalid_argument);
  refuses(wrong, in_place());
  wrong.example.weights.pop_back();
  refuses(wrong, in_place());
  refuses(continued(text, 1), causal_continuation());
  refuses(continued(text, -1), causal_continuation());
  PlacedExample unsettled = continued(text);
  unsettled.example.weights.front() = 1;
  refuses(unsettled, causal_continuation());
}

TEST(Settle, LeavesOutBeginTokensAndWhatNothingStandsBefore) {
  Example example{.targets = {20, E, B, 21}, .weights = {1, 1, 1, 1}};
  settle(example, causal_continuation());
  EXPECT_THAT(example.weights, ElementsAre(0, 1, 0, 1));
  Example led{.inputs = {B}, .targets = {20, 21}, .weights = {1, 1}};
  settle(led, causal_continuation());
  EXPECT_THAT(led.weights, ElementsAre(1, 1));
  Example placed{.inputs = {B, 20}, .targets = {B, 20}, .weights = {1, 1}};
  settle(placed, in_place());
  EXPECT_THAT(placed.weights, ElementsAre(0, 1));
}

TEST(DocumentEnd, CutsATextIntoPartsThatAddUpToIt) {
  const std::vector<Token> text = {20, E, B, 21, E, E, B, B, 22};
  std::vector<std::size_t> ends;
  for (std::size_t first = 0; first < text.size(); first = ends.back())
    ends.push_back(document_end(text, first));
  EXPECT_THAT(ends, ElementsAre(2, 5, 6, 7, 9));
}

}  // namespace
}  // namespace ablate::data
