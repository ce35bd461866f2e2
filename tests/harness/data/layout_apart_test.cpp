// Layout with an encoder, with several heads, and with a loss denominator that is larger than the
// sum of the weights.

#include <gmock/gmock.h>

#include "harness/data/batches/layout.h"
#include "tests/harness/data/tokens.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;

Needs apart() { return {.attention = Attention::bidirectional, .separate_inputs = true}; }

PlacedExample placed(std::vector<Token> inputs, std::vector<Token> targets, const Needs& needs,
                     std::int64_t row = 0) {
  Example example{.inputs = std::move(inputs), .targets = std::move(targets)};
  example.weights.assign(example.targets.size(), 1);
  settle(example, needs);
  return {{}, example, row};
}

TEST(LayoutApart, InputsGoToTheEncoderAndTargetsShiftedToTheDecoder) {
  const PlacedExample examples[] = {placed({20, 21, 22}, {30, 31}, apart()),
                                    placed({23}, {32, E}, apart())};
  const Batch batch = lay_out(examples, apart(), Packing::isolated, 1, {5, 6});
  EXPECT_THAT(batch.source.tokens, ElementsAre(20, 21, 22, 23, P, P));
  EXPECT_THAT(batch.source.positions, ElementsAre(0, 1, 2, 0, 0, 0));
  EXPECT_THAT(batch.source.visible_from, ElementsAre(0, 0, 0, 3, 0, 0));
  EXPECT_THAT(batch.source.visible_until, ElementsAre(3, 3, 3, 4, 0, 0));
  EXPECT_THAT(batch.tokens, ElementsAre(B, 30, B, 32, P));
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 2, 2, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(1, 2, 3, 4, 0));
  EXPECT_THAT(batch.source_from, ElementsAre(0, 0, 3, 3, 0));
  EXPECT_THAT(batch.source_until, ElementsAre(3, 3, 4, 4, 0));
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(batch.scored[0].targets, ElementsAre(30, 31, 32, E));
}

TEST(LayoutApart, JoinedExamplesSeeAllOfTheirRowsSource) {
  const PlacedExample examples[] = {placed({20, 21}, {30}, apart()), placed({22}, {31}, apart()),
                                    placed({23}, {32}, apart(), 1)};
  const Batch batch = lay_out(examples, apart(), Packing::joined, 2, {2, 3});
  EXPECT_THAT(batch.source.visible_until, ElementsAre(3, 3, 3, 1, 0, 0));
  EXPECT_THAT(batch.source_until, ElementsAre(3, 3, 1, 0));
  EXPECT_THAT(batch.visible_from, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(batch.visible_until, ElementsAre(1, 2, 1, 0));
}

TEST(LayoutApart, TheFirstTargetIsScoredEvenWithoutInputs) {
  const PlacedExample examples[] = {placed({}, {30, 31}, apart())};
  const Batch batch = lay_out(examples, apart(), Packing::isolated, 1, {2, 1});
  EXPECT_THAT(batch.scored[0].positions, ElementsAre(0, 1));
  EXPECT_THAT(batch.source_until, ElementsAre(0, 0)) << "it sees nothing of the source";
}

TEST(LayoutApart, EachStackHasARoomOfItsOwn) {
  const PlacedExample examples[] = {placed({20, 21, 22}, {30}, apart())};
  EXPECT_NO_THROW(lay_out(examples, apart(), Packing::isolated, 1, {1, 3}));
  EXPECT_THROW(lay_out(examples, apart(), Packing::isolated, 1, {1, 2}), std::invalid_argument);
  EXPECT_THROW(lay_out(examples, apart(), Packing::isolated, 1, {0, 3}), std::invalid_argument);
}

/// Causal, with a head for the token after the next one.
Needs two_heads() {
  Needs needs;
  needs.heads.push_back({.kind = "future_tokens"});
  return needs;
}

TEST(LayoutLabels, StandAtTheStateThatPredictsTheirTarget) {
  PlacedExample one = placed({}, {B, 20, 21, E}, two_heads());
  one.example.labels = {{.head = 1, .at = 0, .target = 20}, {.head = 1, .at = 1, .target = 21}};
  settle(one.example, two_heads());
  const Batch batch = lay_out({&one, 1}, two_heads(), Packing::isolated, 1, {4, 0});
  EXPECT_THAT(batch.scored[1].positions, ElementsAre(0)) << "nothing stands before target 0";
  EXPECT_THAT(batch.scored[1].targets, ElementsAre(21));
  EXPECT_EQ(batch.scored[1].need.kind, "future_tokens");
  EXPECT_EQ(scored_tokens(batch), 4);
}

TEST(LayoutLabels, AreOfAHeadThatIsThereAndAPlaceThatIs) {
  PlacedExample one = placed({20}, {21}, two_heads());
  for (const Label& wrong : {Label{.head = 0}, Label{.head = 2}, Label{.head = 1, .at = 1}}) {
    one.example.labels = {wrong};
    EXPECT_THROW(lay_out({&one, 1}, two_heads(), Packing::isolated, 1, {4, 0}),
                 std::invalid_argument);
  }
}

TEST(LayoutWhole, IsWhatTheLossIsAFractionOf) {
  PlacedExample one = placed({20}, {21, 22}, {}), other = one;
  one.example.weights = {4, 0};
  one.example.loss_denominator = 10;
  other.example.weights = {0.5, 0};
  const PlacedExample both[] = {one, other};
  const Batch batch = lay_out(both, {}, Packing::isolated, 1, {6, 0});
  EXPECT_EQ(batch.scored[0].weight(), 10.5);
}

}  // namespace
}  // namespace ablate::data
