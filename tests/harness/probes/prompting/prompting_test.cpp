// Labels named after demonstrations: a constant model is at chance exactly, the order of labels changes
// nothing, and a model that copies its demonstrations is seen to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/prompting/few_shot.h"
#include "harness/probes/prompting/verbalisers_spec.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Label 0 has precision 1 / 1.5 and recall 1, label 1 has 0.5 of 0.5 named and 0.5 of 1 labelled:
// F1 of 2 * 1 / 2.5 and 2 * .5 / 1.5.
TEST(FewShot, ScoresItemsInFractions) {
  const LabelScores scores = shared_scores({{1, 0}, {0.5, 0.5}}, std::vector<std::int32_t>{0, 1});
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.75);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (0.8 + 2.0 / 3) / 2);
}

TEST(FewShot, ScoresWholeItemsAsLabelScoresDo) {
  const std::vector<std::int32_t> labels = {0, 0, 1, 2}, named = {0, 1, 1, 1};
  std::vector<std::vector<double>> shares;
  for (const std::int32_t label : named) {
    shares.emplace_back(4, 0.0);
    shares.back()[static_cast<std::size_t>(label)] = 1;
  }
  const LabelScores whole = label_scores(named, labels, 4), shared = shared_scores(shares, labels);
  EXPECT_DOUBLE_EQ(shared.accuracy, whole.accuracy);
  EXPECT_DOUBLE_EQ(shared.macro_f1, whole.macro_f1);
}

TEST(FewShot, WritesDemonstrationsBeforeTheQuestion) {
  const PromptFormat format{.verbalisers = {{30}, {31, 32}}, .before = {40}, .after = {41}};
  const std::vector<Token> shown = {16, 17, 18}, asked = {20, 21, 22};
  const std::vector<Demonstration> demonstrations = {{shown, 1}};
  EXPECT_THAT(prompt_of(format, demonstrations, asked, 2),
              ElementsAre(begin_token, 16, 17, 40, 31, 32, 41, 20, 21, 40));
  EXPECT_THAT(prompt_of(format, {}, std::span(asked).first(0), 2), ElementsAre(begin_token, 40));
  // 2 texts in 20 tokens after the begin token: 10 each, less 2 of a label and 2 around it.
  EXPECT_EQ(shown_tokens(format, 1, 21), 6);
  EXPECT_LE(prompt_of(format, demonstrations, asked, 6).size() + 2, 21u);
}

TEST(FewShot, WritesBothTextsOfAPairAndCutsThemAlike) {
  const PromptFormat format{.verbalisers = {{30}}, .before = {40}, .after = {41}, .between = {50}};
  const std::vector<Token> pair = {16, 17, 18, separator_token, 20, 21, 22, 23};
  const auto prompt = [&](std::size_t shown) { return prompt_of(format, {}, pair, shown); };
  EXPECT_THAT(prompt(7), ElementsAre(begin_token, 16, 17, 18, 50, 20, 21, 22, 23, 40));
  EXPECT_THAT(prompt(4), ElementsAre(begin_token, 16, 17, 50, 20, 21, 40));
  EXPECT_THAT(prompt(6), ElementsAre(begin_token, 16, 17, 18, 50, 20, 21, 22, 40));
  const std::vector<Token> short_first = {16, separator_token, 20, 21, 22, 23},
                           short_second = {16, 17, 18, 19, separator_token, 20};
  EXPECT_THAT(prompt_of(format, {}, short_first, 4),
              ElementsAre(begin_token, 16, 50, 20, 21, 22, 40));
  EXPECT_THAT(prompt_of(format, {}, short_second, 4),
              ElementsAre(begin_token, 16, 17, 18, 50, 20, 40));
  EXPECT_LE(
      prompt_of(format, {}, pair, static_cast<std::size_t>(shown_tokens(format, 0, 9))).size(), 9u);
}

const Json kProbe = {
    {"type", "prompting"}, {"training_documents", 40}, {"test_documents", 60}, {"shots", {0, 1}}};

TEST(Prompting, OfAConstantModelIsAtChanceExactly) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  for (const char* objective : {"causal_lm", "masked_lm", "span_corruption"}) {
    const Measurement m = measured(world, trial_of({{"type", objective}}), network, kProbe);
    EXPECT_EQ(m.metrics.at("prompting.chance"), 0.5);
    for (const char* name :
         {"accuracy_0", "calibrated_0", "accuracy_1", "calibrated_1", "permuted_1", "untrained_1"})
      EXPECT_EQ(m.metrics.at(std::string("prompting.") + name), 0.5) << objective << name;
    EXPECT_GE(m.metrics.at("prompting.bayes_0"), m.metrics.at("prompting.majority") - 0.1);
    EXPECT_EQ(m.items.at("prompting.accuracy_1"), std::vector<double>(60, 0.5));
  }
}

TEST(Prompting, LeavesOutArmsWithoutAFormat) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m =
      measured(world, trial_of({{"type", "masked_lm"}, {"format", "pair"}}), network, kProbe);
  EXPECT_TRUE(m.metrics.empty());
}

class PromptingFiles : public ::testing::Test {
 protected:
  PromptingFiles() : folder_(scratch_folder("prompting")) {}
  ~PromptingFiles() override { std::filesystem::remove_all(folder_); }

  /// `count` lines, each of a letter whose label is `first` for a, and `second` for b.
  void write(const std::string& name, int count, const std::string& first,
             const std::string& second) const {
    std::ofstream file(folder_ / name);
    for (int i = 0; i < count; ++i)
      file << Json({{"text", i % 2 ? "a" : "b"}, {"label", i % 2 ? first : second}}).dump() << "\n";
  }

  Json prepared(const Json& given) const {
    Json settings = {{"train", "train.jsonl"}, {"test", "test.jsonl"}, {"training_documents", 20},
                     {"test_documents", 20},   {"before_label", "="},  {"after_label", ";"}};
    settings.update(given);
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("prompting");
    Json probe =
        spec.prepare(Params(spec.params, settings),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "prompting";
    return probe;
  }

  Measurement measured_by(const Oracle::Rule& rule, const Json& settings,
                          std::int64_t context = 64) const {
    Oracle network(rule);
    plan::Trial trial = trial_of({{"type", "causal_lm"}}, "isolated", context);
    trial.shape = {context, 0};
    return measured_on_text(byte_corpus(), trial, network, prepared(settings), folder_ / "cache");
  }

  std::string refused(const Json& settings) const {
    try {
      prepared(settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  }

  std::filesystem::path folder_;
};

/// After "=", the label that the text before had where it was last seen; else no preference.
std::vector<double> copies_demonstrations(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const auto at = static_cast<std::ptrdiff_t>(seen.place);
  for (std::ptrdiff_t i = at - 2; i > 1; --i)
    if (seen.row[static_cast<std::size_t>(i)] == 16 + '=' &&
        seen.row[static_cast<std::size_t>(i - 1)] == seen.row[seen.place - 1]) {
      logits[static_cast<std::size_t>(seen.row[static_cast<std::size_t>(i + 1)])] = 20;
      break;
    }
  return logits;
}

TEST_F(PromptingFiles, SeesAModelThatReadsItsDemonstrations) {
  write("train.jsonl", 40, "x", "y");
  write("test.jsonl", 40, "x", "y");
  const Measurement m = measured_by(copies_demonstrations, {{"shots", {0, 6}}});
  EXPECT_EQ(m.metrics.at("prompting.accuracy_0"), 0.5);
  EXPECT_GT(m.metrics.at("prompting.accuracy_6"),
            0.9);  // 1 less half of prompts without its letter
  EXPECT_LT(m.metrics.at("prompting.permuted_6"), 0.1);
  EXPECT_EQ(m.metrics.at("prompting.calibrated_6"), m.metrics.at("prompting.accuracy_6"));
}

/// After "=", the label y where the byte three places before is that right before it, as in "a|a=".
std::vector<double> says_whether_texts_agree(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const std::size_t at = seen.place;
  if (seen.row[at] == 16 + '=' && at >= 3)
    logits[16 + (seen.row[at - 1] == seen.row[at - 3] ? 'y' : 'n')] = 20;
  return logits;
}

TEST_F(PromptingFiles, AskAboutPairsOfTexts) {
  for (const char* name : {"train.jsonl", "test.jsonl"}) {
    std::ofstream file(folder_ / name);
    for (int i = 0; i < 40; ++i)
      file << Json({{"text", i % 2 ? "a" : "b"},
                    {"second", i % 4 < 2 ? "a" : "b"},
                    {"label", (i % 2 == 1) == (i % 4 < 2) ? "y" : "n"}})
                  .dump()
           << "\n";
  }
  const Json pairs = {{"shots", {0, 2}}, {"pair_field", "second"}, {"between_texts", "|"}};
  const Measurement m = measured_by(says_whether_texts_agree, pairs);
  EXPECT_EQ(m.metrics.at("prompting.accuracy_0"), 1);
  EXPECT_EQ(m.metrics.at("prompting.accuracy_2"), 1);
  EXPECT_THAT(refused({{"pair_field", "second"}, {"between_texts", ""}}),
              HasSubstr("between_texts has no tokens"));
}

/// Likes the byte x, whatever stands before.
std::vector<double> likes_x(const Seen&) {
  std::vector<double> logits(16 + 256, 0.0);
  logits[16 + 'x'] = 3;
  return logits;
}

TEST_F(PromptingFiles, CalibrationTakesAwayWhatTheModelLikesAnyway) {
  write("train.jsonl", 40, "x", "y");
  write("test.jsonl", 41, "x", "y");
  const Measurement m = measured_by(likes_x, {{"shots", {0}}, {"test_documents", 41}});
  EXPECT_NE(m.metrics.at("prompting.accuracy_0"), 0.5);
  EXPECT_EQ(m.metrics.at("prompting.calibrated_0"), 0.5);
}

TEST_F(PromptingFiles, TheOrderOfLabelsChangesNothing) {
  write("train.jsonl", 40, "first", "second");
  write("test.jsonl", 40, "first", "second");
  const Json one = {
      {"shots", {0, 4}},
      {"verbalisers", {{{"label", "first"}, {"text", "x"}}, {{"label", "second"}, {"text", "y"}}}}};
  const Measurement m = measured_by(copies_demonstrations, one);
  write("train.jsonl", 40, "second", "first");  // labels are sorted by name: now x is the other one
  write("test.jsonl", 40, "second", "first");
  const Json other = {
      {"shots", {0, 4}},
      {"verbalisers", {{{"label", "first"}, {"text", "y"}}, {{"label", "second"}, {"text", "x"}}}}};
  const Measurement swapped = measured_by(copies_demonstrations, other);
  for (const char* name : {"accuracy_0", "accuracy_4", "macro_f1_4", "calibrated_4"})
    EXPECT_EQ(m.metrics.at(std::string("prompting.") + name),
              swapped.metrics.at(std::string("prompting.") + name))
        << name;
}

TEST_F(PromptingFiles, RefusesVerbalisersThatStandForNoLabelOrForTwo) {
  write("train.jsonl", 40, "x", "y");
  write("test.jsonl", 40, "x", "y");
  const auto with = [](const char* label, const char* text) {
    return Json{{"verbalisers", {{{"label", label}, {"text", text}}}}};
  };
  EXPECT_THAT(refused(with("z", "q")), HasSubstr("'z' in verbalisers is no label of the files; "
                                                 "they are x, y"));
  EXPECT_THAT(refused(with("x", "")), HasSubstr("the verbaliser '' of 'x' has no tokens"));
  EXPECT_THAT(refused(with("x", "y")), HasSubstr("'y' is the verbaliser of both 'x' and 'y'"));
}

TEST_F(PromptingFiles, LeaveOutDemonstrationsThatThereIsNoRoomFor) {
  write("train.jsonl", 40, "a long label that takes most of it", "another long label of the kind");
  write("test.jsonl", 20, "a long label that takes most of it", "another long label of the kind");
  const Measurement m = measured_by(copies_demonstrations, {{"shots", {0, 1, 4}}});
  EXPECT_TRUE(m.metrics.contains("prompting.accuracy_0"));
  for (const char* name :
       {"prompting.accuracy_1", "prompting.accuracy_4", "prompting.permuted_4"}) {
    EXPECT_FALSE(m.metrics.contains(name)) << name;
    EXPECT_THAT(m.details.at("absent").at(name).get<std::string>(),
                HasSubstr("leave no room for texts in 60 tokens"));
  }
}

TEST_F(PromptingFiles, LeaveOutMoreDemonstrationsThanThereAreDocuments) {
  write("train.jsonl", 3, "x", "y");
  write("test.jsonl", 20, "x", "y");
  const Measurement m = measured_by(copies_demonstrations, {{"shots", {0, 4}}});
  EXPECT_THAT(m.details.at("absent").at("prompting.accuracy_4").get<std::string>(),
              HasSubstr("there are 3 training documents for 4 demonstrations"));
}

TEST(PromptingSpec, LeavesOutDemonstrationsThatDoNotFitAndSaysWhatItCannotMeasure) {
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("prompting");
  const ObjectiveSpec& objective = objective_named("causal_lm");
  const Params params(objective.params, Json::object());
  const auto refusal = [&](const Json& settings, bool language, std::int64_t context,
                           std::int64_t fewest) {
    return spec.refusal(Params(spec.params, settings),
                        {objective, params, {}, {}, language, context, fewest});
  };
  const Params settings(spec.params, Json::object());
  EXPECT_THAT(shots_that_fit(settings, 60), ElementsAre(0, 1, 4));
  EXPECT_THAT(shots_that_fit(settings, 136), ElementsAre(0, 1, 4, 16));
  EXPECT_EQ(refusal(Json::object(), true, 64, 64), "");
  EXPECT_THAT(refusal({{"shots", Json::array()}}, true, 64, 64), HasSubstr("shots is empty"));
  EXPECT_THAT(refusal({{"shots", {50}}}, true, 64, 64), HasSubstr("no number of demonstrations"));
  EXPECT_THAT(refusal(Json::object(), true, 64, 32), HasSubstr("probes.prompting.longest=32"));
  EXPECT_THAT(refusal(Json::object(), false, 64, 64), HasSubstr("give 'train' and 'test'"));
  EXPECT_THAT(refusal({{"verbalisers", {{{"label", "a"}, {"text", "b"}}}}}, true, 64, 64),
              HasSubstr("leave them out"));
}

}  // namespace
}  // namespace ablate::probes
