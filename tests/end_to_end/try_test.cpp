// `ablate try`: every trained arm fills the same blanks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/exit_code.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kFourFormats = R"({
  "name": "formats",
  "question": "What does each arm read?",
  "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16,
             "tokens": 8192, "held_out_tokens": 4096},
  "model": {"depth": 2, "width": 16, "heads": 2, "context": 32},
  "train": {"budget": {"steps": 4}, "batch": 2},
  "match": {"on": []},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
           {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}},
           {"name": "fim", "set": {"objective": {"type": "fill_in_the_middle"}}},
           {"name": "spans", "set": {"objective": {"type": "span_corruption"}}},
           {"name": "pairs", "set": {"objective": {"type": "masked_lm", "format": "pair"}}}],
  "baseline": "clm",
  "seeds": 1,
  "probes": [{"type": "held_out", "texts": 10}],
  "analysis": {"primary": "held_out.share_learned"}
})";

class TryProgram : public testing::Test {
 protected:
  testing_support::Finished run(const char* experiment = kFourFormats) const {
    const auto file = place.write("formats.json", experiment);
    return place.ablate({"run", file.string(), "--results", results, "--progress", "none"});
  }

  testing_support::Finished attempt(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"try", results};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.ablate(arguments);
  }

  testing_support::Workplace place;
  std::string results = (place.folder() / "results").string();
};

TEST_F(TryProgram, AsksEveryArmInItsFormat) {
  ASSERT_EQ(run().exit_code, exit_ok);
  const auto asked = attempt({"--tokens", "3", "--samples", "2", "--top", "4", "--json"});
  ASSERT_EQ(asked.exit_code, exit_ok) << asked.errors;
  const Json document = Json::parse(asked.output);
  EXPECT_EQ(document.at("truth").size(), 3u);
  ASSERT_EQ(document.at("answers").size(), 5u);
  for (const Json& answer : document.at("answers")) {
    if (answer.at("arm") == "pairs") {
      EXPECT_THAT(answer.at("note").get<std::string>(), HasSubstr("no format"));
      continue;
    }
    ASSERT_EQ(answer.at("greedy").size(), 1u);
    EXPECT_LE(answer.at("greedy")[0].size(), 3u);
    EXPECT_EQ(answer.at("samples").size(), 2u);
    double sum = 0, before = 1;
    for (const char* list : {"top", "exact"}) {
      ASSERT_EQ(answer.at(list).size(), 4u);
      sum = 0, before = 1;
      for (const Json& pair : answer.at(list)) {
        EXPECT_LE(pair.at(1), before);
        sum += before = pair.at(1);
      }
      EXPECT_LE(sum, 1 + 1e-9);
    }
  }
  EXPECT_EQ(document.at("answers")[0].at("format"), "what is left of the blank");
  EXPECT_EQ(document.at("answers")[2].at("format"), "both sides");
  EXPECT_EQ(attempt({"--tokens", "3", "--json"}).output,
            attempt({"--tokens", "3", "--json"}).output);
}

TEST_F(TryProgram, AsksAtAPositionOfADocument) {
  ASSERT_EQ(run().exit_code, exit_ok);
  const auto at = [&](const char* position) {
    const auto asked = attempt(
        {"--document", "2", "--position", position, "--tokens", "1", "--arm", "mlm", "--json"});
    EXPECT_EQ(asked.exit_code, exit_ok) << asked.errors;
    return Json::parse(asked.output);
  };
  const Json first = at("0"), third = at("2");
  EXPECT_TRUE(first.at("question").at("parts").at(0).empty());
  EXPECT_EQ(third.at("question").at("parts").at(0).at(0), first.at("truth").at(0));
  EXPECT_EQ(first.at("question").at("parts").at(1).at(1), third.at("truth").at(0));
}

TEST_F(TryProgram, TakesAPrompt) {
  ASSERT_EQ(run().exit_code, exit_ok);
  const auto asked = attempt({"--prompt", "w1 w2 ___ w3", "--arm", "spans", "--tokens", "2"});
  ASSERT_EQ(asked.exit_code, exit_ok) << asked.errors;
  EXPECT_THAT(asked.output,
              AllOf(HasSubstr("w1 w2 ___ w3\n"), HasSubstr("spans, seed 1, reads both"),
                    HasSubstr("greedy"), HasSubstr("exact")));
  EXPECT_THAT(asked.output, testing::Not(HasSubstr("clm")));
  const auto ended = attempt({"--prompt", "w1 w2", "--arm", "clm", "--json"});
  EXPECT_TRUE(Json::parse(ended.output).at("question").at("parts").at(1).empty());
}

TEST_F(TryProgram, FillsSeveralBlanks) {
  ASSERT_EQ(run().exit_code, exit_ok);
  const auto asked = attempt({"--prompt", "___ w1 _____ w2", "--tokens", "2", "--json"});
  ASSERT_EQ(asked.exit_code, exit_ok) << asked.errors;
  const Json document = Json::parse(asked.output);
  EXPECT_EQ(document.at("question").at("parts").size(), 3u);
  for (const Json& answer : document.at("answers")) {
    const std::size_t filled = answer.at("arm") == "pairs" ? 0 : 2;
    EXPECT_EQ(answer.value("greedy", Json::array()).size(), filled) << answer;
  }
  const auto many = attempt({"--prompt", "___ w1 ___ w2 ___", "--arm", "spans"});
  EXPECT_THAT(many.output, HasSubstr("sentinel 2 does not exist"));
  const auto shown = attempt({"--prompt", "___ w1 ___ w2", "--arm", "spans"});
  EXPECT_THAT(shown.output, AllOf(HasSubstr("___ w1 ___ w2\n"), HasSubstr(" | ")));
}

TEST_F(TryProgram, RefusesWhatCannotBeAsked) {
  ASSERT_EQ(run().exit_code, exit_ok);
  for (const auto& [flag, value, text] :
       {std::tuple{"--prompt", "w1 w99", "'w99' is not a word of this corpus"},
        std::tuple{"--prompt", "The capital of France is", "to ask in English, train on text"},
        {"--arm", "nobody", "the arms are clm, mlm, fim, spans, pairs"},
        {"--seed", "9", "no trial of these arms has this seed"},
        {"--document", "100000", "the held-out part has"},
        {"--position", "100",
         "--position 100: document 1 has no room there for a blank of 8 tokens"},
        {"--tokens", "0", "--tokens"},
        {"--tokens", "31", "too short for a blank of 31"}}) {
    const auto refused = attempt({flag, value});
    EXPECT_EQ(refused.exit_code, exit_usage) << flag << " " << value;
    EXPECT_THAT(refused.errors, HasSubstr(text));
  }
  std::string words;
  for (int i = 0; i < 40; ++i) words += "w1 ";
  const auto long_prompt = attempt({"--prompt", words, "--arm", "clm"});
  EXPECT_EQ(long_prompt.exit_code, exit_ok) << "each arm says for itself what it cannot do";
  EXPECT_THAT(long_prompt.output, HasSubstr("do not fit into"));
}

TEST_F(TryProgram, SaysWhatIsNotTrained) {
  ASSERT_EQ(run().exit_code, exit_ok);
  for (const auto& [id, folder] : store::listed_trials(results))
    std::filesystem::remove(folder / "weights.safetensors");
  const auto asked = attempt({"--arm", "clm"});
  EXPECT_EQ(asked.exit_code, exit_ok);
  EXPECT_THAT(asked.output, HasSubstr("clm, seed 1: it is not trained"));
}

TEST_F(TryProgram, DamageOfOneArmLeavesTheAnswersOfTheOthers) {
  ASSERT_EQ(run().exit_code, exit_ok);
  const std::string broken = Json::parse(attempt({"--json"}).output).at("answers")[0].at("trial");
  std::ofstream(store::trial_folder(results, broken) / "weights.safetensors", std::ios::app) << "x";
  const auto asked = attempt({"--json"});
  EXPECT_EQ(asked.exit_code, exit_damaged) << asked.errors;
  const Json answers = Json::parse(asked.output).at("answers");
  EXPECT_THAT(answers[0].at("note").get<std::string>(), HasSubstr("weights.safetensors"));
  EXPECT_TRUE(answers[1].contains("greedy"));
}

TEST_F(TryProgram, AsksNoTrialByTheWeightsOfAnother) {
  ASSERT_EQ(run().exit_code, exit_ok);
  namespace fs = std::filesystem;
  const Json before = Json::parse(attempt({"--json"}).output).at("answers");
  const auto folder_of = [&](int arm) {
    return store::trial_folder(results, before[arm].at("trial"));
  };
  const auto weights_of = [&](int arm) { return folder_of(arm) / "weights.safetensors"; };
  fs::copy_file(weights_of(0), weights_of(2), fs::copy_options::overwrite_existing);
  fs::rename(folder_of(0), place.folder() / "aside");
  fs::rename(folder_of(1), folder_of(0));
  fs::rename(place.folder() / "aside", folder_of(1));
  const auto asked = attempt({"--json"});
  EXPECT_EQ(asked.exit_code, exit_damaged) << asked.errors;
  const Json answers = Json::parse(asked.output).at("answers");
  for (int arm = 0; arm < 3; ++arm) {
    EXPECT_THAT(answers[arm].value("note", ""), HasSubstr("belongs to trial")) << answers[arm];
    EXPECT_TRUE(answers[arm].value("damaged", false));
  }
  EXPECT_EQ(answers[3], before[3]);
}

}  // namespace
}  // namespace ablate
