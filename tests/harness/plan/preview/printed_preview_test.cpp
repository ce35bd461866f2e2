// Previews as text, of the objectives that are shipped.

#include "harness/plan/preview/printed_preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "experiments/catalog.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing::Not;

class PrintedPreview : public testing::Test {
 protected:
  Preview of(const Json& objective, std::int64_t count = 1,
             std::optional<std::int64_t> seed = {}) const {
    const Json experiment = {{"name", "printed"},
                             {"corpus",
                              {{"kind", "language"},
                               {"topics", 2},
                               {"states", 4},
                               {"vocabulary", 8},
                               {"tokens", 4000},
                               {"held_out_tokens", 1000}}},
                             {"model", {{"depth", 4}, {"width", 8}, {"heads", 2}, {"context", 16}}},
                             {"train", {{"budget", {{"tokens", 1600}}}, {"batch", 4}}},
                             {"objective", objective},
                             {"arms", {{{"name", "x"}}}},
                             {"seeds", {3, 4}}};
    const auto file = folder.write("e.json", experiment.dump());
    const auto tokens = folder.write("t.json", "[[16,17,18,19,20,21,22,23]]");
    return preview(catalog(), {.file = file,
                               .arm = "x",
                               .count = count,
                               .seed = seed,
                               .set = {},
                               .text = {},
                               .tokens = tokens});
  }

  testing_support::PlanFolder folder;
};

TEST_F(PrintedPreview, NamesSentinelsByTheSpanThatTheyStandFor) {
  const std::string text =
      printed(of({{"type", "span_corruption"}, {"noise_density", 0.5}, {"mean_span_length", 1}}));
  EXPECT_THAT(text, HasSubstr("<S0>"));
  EXPECT_THAT(text, HasSubstr("<S1>"));
  EXPECT_THAT(text, Not(HasSubstr("sentinel")));
}

TEST_F(PrintedPreview, ShowsWhatEveryHeadPredicts) {
  const std::string text = printed(of({{"type", "multi_token_prediction"}, {"heads", 3}}));
  EXPECT_THAT(text, HasSubstr("\n  targets .  w1 w2 w3 w4 w5 w6 w7 \n"
                              "  head 2  .  w2 w3 w4 w5 w6 w7 .  \n"
                              "  head 3  .  w3 w4 w5 w6 w7 .  .  \n"));
  EXPECT_THAT(printed(of({{"type", "causal_lm"}})), Not(HasSubstr("head ")));
}

// No number of equal examples says more than one.
TEST_F(PrintedPreview, DrawsAnExampleOnceThatATextMakesEachTime) {
  const std::string causal = printed(of({{"type", "causal_lm"}}, 3));
  EXPECT_THAT(causal, HasSubstr("\nexample 1: the same as example 0, of the same text\n"
                                "\nexample 2: the same as example 0, of the same text\n"));
  const std::string masked = printed(of({{"type", "masked_lm"}, {"rate", 0.5}}, 3));
  EXPECT_THAT(masked, Not(HasSubstr("the same as")));
}

TEST_F(PrintedPreview, ReadsATextAgainAsAFurtherEpochWould) {
  const Preview again = of({{"type", "fill_in_the_middle"}, {"rate", 1}}, 20);
  std::set<std::vector<Token>> seen;
  for (const Preview::Shown& shown : again.examples) seen.insert(shown.example.targets);
  EXPECT_GT(seen.size(), 5u) << "the parts are cut once per document and epoch";
}

TEST_F(PrintedPreview, DrawsByTheSeedThatIsAskedFor) {
  const Json objective = {{"type", "masked_lm"}, {"rate", 0.5}};
  EXPECT_EQ(printed(of(objective, 4)), printed(of(objective, 4, 3))) << "the file's first seed";
  EXPECT_NE(to_json(of(objective, 4)), to_json(of(objective, 4, 4)));
  EXPECT_THAT(printed(of(objective, 1, 4)), HasSubstr("seed 4\n"));
  EXPECT_THROW(of(objective, 1, -1), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::plan
