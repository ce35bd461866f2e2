// `ablate preview` on the shipped experiments, and on text of a user's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing::Not;

class PreviewProgram : public testing::Test {
 protected:
  testing_support::Finished preview(const std::string& experiment, const std::string& arm,
                                    const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {
        "preview", (project_root() / "experiments" / experiment).string(), "--arm", arm};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.ablate(arguments);
  }

  testing_support::Workplace place;
};

TEST_F(PreviewProgram, ShowsSpansOfALongPoissonMean) {
  const auto shown = preview("compare_objectives.json", "span_corruption",
                             {"--set", "objective.law=poisson", "--set",
                              "objective.mean_span_length=40", "--count", "500", "--json"});
  ASSERT_EQ(shown.exit_code, exit_ok) << shown.errors;
  EXPECT_EQ(Json::parse(shown.output)["examples"].size(), 500u);
}

TEST_F(PreviewProgram, ShowsTextsOfAnyLengthThatATrialReads) {
  const auto short_texts =
      preview("architecture.json", "prefix_lm_two_stacks", {"--count", "40", "--json"});
  EXPECT_EQ(short_texts.exit_code, exit_ok) << short_texts.errors;
  for (const auto& [density, mean] : {std::pair{"0.5", "1"}, {"0.5", "1.3"}, {"0.66", "2"}}) {
    const auto dense =
        preview("compare_objectives.json", "span_corruption",
                {"--set", std::string("objective.noise_density=") + density, "--set",
                 std::string("objective.mean_span_length=") + mean, "--count", "40", "--json"});
    EXPECT_EQ(dense.exit_code, exit_ok) << density << ", " << mean << ": " << dense.errors;
  }
}

TEST_F(PreviewProgram, SaysWhichTextWasLeftAlone) {
  const auto shown = preview("fim_rate.json", "fim[rate=0.5]", {"--count", "20"});
  ASSERT_EQ(shown.exit_code, exit_ok) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("this text was left alone: the targets are the text"));
  const auto always = preview("fim_rate.json", "fim[rate=1]", {"--count", "20"});
  EXPECT_THAT(always.output, Not(HasSubstr("left alone")));
}

TEST_F(PreviewProgram, KnowsTheWordsOfAGivenText) {
  const std::string prose = "Every word is hidden as a whole, or it is shown as a whole. ";
  std::string much;
  for (int i = 0; i < 200; ++i) much += std::to_string(i) + " " + prose + "\n\n";
  const auto text = place.write("text.txt", much);
  const Json experiment = {
      {"name", "words"},
      {"corpus",
       {{"kind", "text"},
        {"paths", {text.string()}},
        {"documents", "blank_lines"},
        {"tokenizer", {{"kind", "bytes"}}}}},
      {"model", {{"context", 64}}},
      {"train", {{"budget", {{"steps", 4}}}}},
      {"objective", {{"type", "masked_lm"}, {"unit", "whole_word"}, {"rate", .3}}},
      {"arms", {{{"name", "words"}}}}};
  const auto file = place.write("e.json", experiment.dump());
  const auto shown = place.ablate({"preview", file.string(), "--arm", "words", "--text",
                                   place.write("given.txt", prose).string(), "--json"});
  ASSERT_EQ(shown.exit_code, exit_ok) << shown.errors;
  const Json example = Json::parse(shown.output)["examples"][0];
  EXPECT_EQ(example["facts"]["word_marks"], 1);
}

}  // namespace
}  // namespace ablate
