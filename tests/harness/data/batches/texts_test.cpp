// The texts of rows, and the shape of a row.

#include "harness/data/batches/texts.h"

#include <gmock/gmock.h>

#include "tests/harness/data/tokens.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;

const std::vector<Token> kTokens = {B, 20, 21, E, B, 22, E, B, 23, 24, 25, 26, 27, E, B, 28};

Part part() { return {.tokens = kTokens}; }

std::vector<std::size_t> counts(const std::vector<Piece>& pieces) {
  std::vector<std::size_t> list;
  for (const Piece& piece : pieces) list.push_back(piece.count);
  return list;
}

TEST(Texts, AreWindowsOrTheirDocumentsParts) {
  Needs whole;
  whole.alignment = Alignment::in_place;
  const Texts windows(part(), whole, Packing::isolated, 6);
  EXPECT_EQ(windows.count(), 2);
  EXPECT_THAT(counts(windows.fragments(0)), ElementsAre(6));
  const Texts continued(part(), Needs{}, Packing::isolated, 6);
  EXPECT_THAT(counts(continued.fragments(0)), ElementsAre(4, 2));
  EXPECT_THAT(counts(continued.fragments(1)), ElementsAre(1, 5));
  Needs by_document = whole;
  by_document.unit = Unit::document;
  EXPECT_THAT(counts(Texts(part(), by_document, Packing::joined, 6).fragments(0)),
              ElementsAre(4, 2));
}

TEST(Texts, KnowTheirDocumentAndTheOthers) {
  const Texts texts(part(), Needs{}, Packing::isolated, 6);
  const Text text = texts.text_of(texts.fragments(1)[1]);
  EXPECT_EQ(text.document, 2);
  EXPECT_EQ(text.documents, 4);
  EXPECT_THAT(text.other_document(1).tokens, ElementsAre(B, 22, E));
  EXPECT_THROW(text.other_document(4), std::out_of_range);
}

TEST(Texts, CountTheRawTokensThatTheyHold) {
  // Two windows of six leave out the last four tokens; padded pieces leave out none.
  EXPECT_EQ(Texts(part(), Needs{}, Packing::isolated, 6).raw_tokens(), 9);
  EXPECT_EQ(Texts(part(), Needs{}, Packing::joined, 6).raw_tokens(), 9);
  EXPECT_EQ(Texts(part(), Needs{}, Packing::padded, 6).raw_tokens(), 12);
  const std::vector<Token> padded = {B, 20, E, P, P};
  EXPECT_EQ(count_raw(padded), 2) << "begin tokens and pads are not raw text, end tokens are";
}

/// Two tokens more for every text, and one input for each target.
Objective longer() {
  Objective objective;
  objective.lengths = [](std::int64_t tokens) {
    return Lengths{tokens, tokens + 2, 2 * tokens + 2};
  };
  return objective;
}

TEST(RowShape, HoldsWhateverAnObjectiveMakesOfAnyText) {
  const auto shape = [&](const Objective& objective, Packing packing) {
    return row_shape(Texts(part(), objective.needs, packing, 6), objective);
  };
  EXPECT_EQ(shape({}, Packing::isolated), (RowShape{6, 0})) << "the text itself";
  EXPECT_EQ(shape(longer(), Packing::joined), (RowShape{14, 0}));
  EXPECT_EQ(shape(longer(), Packing::isolated), (RowShape{16, 0})) << "two documents a window";
  Objective apart = longer();
  apart.needs.separate_inputs = true;
  EXPECT_EQ(shape(apart, Packing::isolated), (RowShape{10, 6}));
  EXPECT_EQ(shape(apart, Packing::padded), (RowShape{8, 6})) << "one document a row";
}

TEST(RowShape, IsNoShorterThanATextWhereOneStackReadsIt) {
  Objective shorter;
  shorter.lengths = [](std::int64_t) { return Lengths{1, 1, 2}; };
  EXPECT_EQ(row_shape(Texts(part(), {}, Packing::joined, 6), shorter), (RowShape{6, 0}));
}

}  // namespace
}  // namespace ablate::data
