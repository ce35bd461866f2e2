// Pictures of attention.

#include "harness/plan/preview/attention_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string spell(Token token) { return "w" + std::to_string(token); }

data::Batch laid_out(const Example& example, const Needs& needs,
                     data::Packing packing = data::Packing::isolated) {
  const data::PlacedExample placed[] = {{{.tokens = example.targets}, example}};
  const std::int64_t inputs = std::ssize(example.inputs), targets = std::ssize(example.targets);
  RowShape shape{needs.alignment == Alignment::in_place ? inputs : inputs + targets, 0};
  if (needs.separate_inputs) shape = {targets, inputs};
  return data::lay_out(placed, needs, packing, 1, shape);
}

TEST(AttentionPicture, DrawsARowForEachPositionAndMarksThoseThatPredict) {
  const Example example{
      .inputs = {16, 4, 18, 4}, .targets = {16, 17, 18, 19}, .weights = {0, 1, 0, 1}};
  EXPECT_EQ(attention_picture(laid_out(example, {.attention = Attention::bidirectional,
                                                 .alignment = Alignment::in_place}),
                              spell),
            "                    0   \n"
            "    0  w16          ####\n"
            "    1* w4           ####\n"
            "    2  w18          ####\n"
            "    3* w4           ####\n");
}

// Drawn by its predicting positions alone, a prefix LM looks causal.
TEST(AttentionPicture, ShowsThatTheInputsOfAPrefixSeeEachOther) {
  const Example example{.inputs = {16, 17}, .targets = {18, 19, 20}, .weights = {1, 1, 1}};
  EXPECT_EQ(attention_picture(laid_out(example, {.attention = Attention::bidirectional}), spell),
            "                    0    \n"
            "    0  w16          ##...\n"
            "    1* w17          ##...\n"
            "    2* w18          ###..\n"
            "    3* w19          ####.\n"
            "    4  w20          #####\n");
}

TEST(AttentionPicture, PutsAnEncoderLeftOfABar) {
  const Example example{.inputs = {16, 17, 18}, .targets = {19, 20}, .weights = {1, 1}};
  EXPECT_EQ(attention_picture(
                laid_out(example, {.attention = Attention::bidirectional, .separate_inputs = true}),
                spell),
            "                    0  |0 \n"
            "    0  w16          ###|\n"
            "    1  w17          ###|\n"
            "    2  w18          ###|\n"
            "    0* w1           ###|#.\n"
            "    1* w19          ###|##\n");
}

TEST(AttentionPicture, TellsWhatItDoesNotDraw) {
  const Example example{.inputs = std::vector<Token>(70, 16),
                        .targets = std::vector<Token>(30, 20),
                        .weights = std::vector<float>(30, 1.0f)};
  const data::Batch batch = laid_out(example, {.attention = Attention::bidirectional});
  const std::string cut = attention_picture(batch, spell, {.rows = 5, .columns = 25});
  EXPECT_THAT(cut, HasSubstr("0         10        20   \n"));
  EXPECT_THAT(cut, HasSubstr("  (cut: columns of positions 25 to 99 are not drawn)\n"));
  EXPECT_THAT(cut, HasSubstr("  (not drawn: positions 5 to 69: each sees 0 to 69)\n"));
  EXPECT_THAT(cut, HasSubstr("  (not drawn: positions 70 to 99: each sees 0 to itself)\n"));
  const std::string all = attention_picture(batch, spell, {.rows = 100, .columns = 100});
  EXPECT_THAT(all, Not(HasSubstr("cut")));
  EXPECT_THAT(all, Not(HasSubstr("not drawn")));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 101);
}

TEST(AttentionPicture, CutsLongNamesByCharacters) {
  const Example example{.inputs = {16}, .targets = {16}, .weights = {1}};
  const data::Batch batch = laid_out(example, {.alignment = Alignment::in_place});
  EXPECT_THAT(attention_picture(batch, [](Token) { return "ééééééééééééééé"; }),
              HasSubstr("    0* éééééééééééé #\n"));
}

}  // namespace
}  // namespace ablate::plan
