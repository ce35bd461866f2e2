// `ablate preview` on the shipped experiments, and on text of a user's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::AllOf;
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
  EXPECT_THAT(shown.output, HasSubstr("this text was not transformed: the targets are the text"));
  const auto always = preview("fim_rate.json", "fim[rate=1]", {"--count", "20"});
  EXPECT_THAT(always.output, Not(HasSubstr("not transformed")));
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

/// How often a text has `what` in it.
std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// The pairs of positions of which one sees the other, by --json.
std::size_t pairs_seen(const Json& attention) {
  std::size_t pairs = 0;
  const auto add = [&](const Json& from, const Json& until) {
    for (std::size_t i = 0; i < from.size(); ++i)
      pairs += until[i].get<std::size_t>() - from[i].get<std::size_t>();
  };
  add(attention.at("from"), attention.at("until"));
  if (attention.contains("also_from")) add(attention.at("also_from"), attention.at("also_until"));
  if (attention.contains("source"))
    add(attention.at("source").at("from"), attention.at("source").at("until"));
  return pairs;
}

TEST_F(PreviewProgram, WritesAPageOfAllArmsWithWhoSeesWhom) {
  const std::string file = (project_root() / "experiments/lecture/objectives.json").string();
  const std::string to = (place.folder() / "page.html").string();
  const auto written = place.ablate({"preview", file, "--html", to});
  ASSERT_EQ(written.exit_code, exit_ok) << written.errors;
  const std::string page = read_file(to);
  EXPECT_EQ(count_of(page, "<h2>"), 5u);
  EXPECT_EQ(count_of(page, "<script"), 0u);
  std::size_t seen = 0;
  for (const char* arm : {"clm", "mlm", "plm", "spans", "fim"}) {
    const auto told = preview("lecture/objectives.json", arm, {"--json"});
    ASSERT_EQ(told.exit_code, exit_ok) << told.errors;
    const Json examples = Json::parse(told.output).at("examples");
    for (const Json& example : examples) seen += pairs_seen(example.at("attention"));
  }
  EXPECT_EQ(count_of(page, "class=\"sees\""), seen);
  EXPECT_THAT(page, HasSubstr("<td class=\"special\">&lt;mask&gt;</td>"));
}

TEST_F(PreviewProgram, WritesAPageWithTheFlagsOfTheFileAndDrawsNoMoreThanFits) {
  const std::string to = (place.folder() / "page.html").string();
  Json many = Json::array();
  for (int i = 0; i < 3000; ++i) many.push_back(16 + i % 40);
  const auto written = preview("quickstart.json", "clm",
                               {"--html", to, "--set", "question=What?", "--tokens",
                                place.write("ids.json", Json::array({many}).dump()).string()});
  ASSERT_EQ(written.exit_code, exit_ok) << written.errors;
  const std::string page = read_file(to);
  EXPECT_THAT(page, AllOf(HasSubstr("What?"), HasSubstr("Only the first 48 of ")));
  EXPECT_EQ(count_of(page, "class=\"sees\""), 48u * 49 / 2);
  const auto detected = preview("detection.json", "learned[generator_width=1]", {"--html", to});
  ASSERT_EQ(detected.exit_code, exit_ok) << detected.errors;
  EXPECT_THAT(read_file(to), HasSubstr("belong to tokens that are sampled in training"));
}

TEST_F(PreviewProgram, WritesAPageOfAnEncoderAndItsDecoder) {
  const std::string to = (place.folder() / "page.html").string();
  const auto written = preview("architecture.json", "prefix_lm_two_stacks", {"--html", to});
  ASSERT_EQ(written.exit_code, exit_ok) << written.errors;
  const std::string page = read_file(to);
  for (const char* title : {"encoder: inputs see inputs", "decoder: what it sees of the inputs",
                            "decoder: what it sees of itself"})
    EXPECT_THAT(page, HasSubstr(title));
  EXPECT_EQ(place.ablate({"preview", (project_root() / "experiments/quickstart.json").string()})
                .exit_code,
            exit_usage)
      << "of no arm, and no page";
}

}  // namespace
}  // namespace ablate
