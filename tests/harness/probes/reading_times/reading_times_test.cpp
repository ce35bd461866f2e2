// Reading times: surprisal that times follow explains them, surprisal that they do not follow explains
// nothing, and what length explains is not put down to surprisal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "harness/base/rng.h"
#include "harness/probes/minimal_pairs/choice_files_spec.h"
#include "harness/probes/reading_times/surprisal_gain.h"
#include "harness/probes/specs.h"
#include "harness/statistics/one_sample/summary.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Words whose times are `weight` times their surprisal, 10 times their length, and noise.
std::vector<ReadWord> words_with(double weight, double noise, std::size_t count = 400) {
  Rng rng(3);
  std::vector<ReadWord> words(count);
  for (ReadWord& word : words) {
    word.characters = static_cast<double>(1 + rng.below(9));
    word.rarity = word.characters + rng.uniform();
    word.position = static_cast<double>(rng.below(20));
    word.surprisal = 4 * rng.uniform() + word.characters / 4;
    word.time = 200 + 10 * word.characters + weight * word.surprisal + noise * rng.normal();
  }
  return words;
}

double gain_of(const std::vector<ReadWord>& words) {
  return statistics::mean(surprisal_gain(words).by_word);
}

// With normal noise of 20 and surprisals whose own part has a variance of 16/12, the gain is half the
// logarithm of the ratio of the variances of errors.
TEST(SurprisalGain, IsThatOfTheVariancesOfErrors) {
  const double known = 0.5 * std::log((400 + 25 * 25 * 16 / 12.0) / 400);
  EXPECT_NEAR(gain_of(words_with(25, 20, 20'000)), known, 0.02);
}

TEST(SurprisalGain, OfSurprisalsThatTimesDoNotFollowIsNotAboveZero) {
  const SurprisalGain none = surprisal_gain(words_with(0, 20));
  EXPECT_NEAR(statistics::mean(none.by_word), 0, 0.01);
  EXPECT_NEAR(none.r2, none.baseline_r2, 0.01);
  EXPECT_GE(none.r2, none.baseline_r2);
  EXPECT_GT(none.baseline_r2, 0.5) << "length explains the times";
}

TEST(SurprisalGain, DoesNotDependOnUnitsOrOnWhatAllWordsShare) {
  const std::vector<ReadWord> words = words_with(5, 10);
  std::vector<ReadWord> other = words;
  for (ReadWord& word : other) {
    word.time = word.time / 1000 + 7;
    word.surprisal = word.surprisal / std::log(2.0) + 3;
  }
  const SurprisalGain one = surprisal_gain(words), two = surprisal_gain(other);
  EXPECT_NEAR(one.r2, two.r2, 1e-9);
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_NEAR(one.by_word[i], two.by_word[i], 1e-6);
}

TEST(SurprisalGain, OfPredictorsThatDoNotVaryIsThatOfTheOthers) {
  std::vector<ReadWord> words = words_with(20, 5);
  for (ReadWord& word : words) word.position = 0;
  EXPECT_GT(gain_of(words), 0.5);
  for (ReadWord& word : words) word.surprisal = 2;
  EXPECT_NEAR(gain_of(words), 0, 1e-9);
}

TEST(SurprisalGain, RefusesTooFewWordsAndEqualTimes) {
  std::vector<ReadWord> words = words_with(1, 1, kFewestWords);
  EXPECT_NO_THROW(surprisal_gain(words));
  for (ReadWord& word : words) word.time = 100;
  EXPECT_THROW(surprisal_gain(words), std::invalid_argument);
  words.pop_back();
  EXPECT_THROW(surprisal_gain(words), std::invalid_argument);
}

class ReadingTimes : public ::testing::Test {
 protected:
  ReadingTimes() : folder_(scratch_folder("reading_times")) {}
  ~ReadingTimes() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "a.jsonl") << text;
    return folder_ / "a.jsonl";
  }

  std::string refused(const std::string& line) const {
    try {
      read_choices(file("\n" + line), ChoiceKind::timed);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  }

  Measurement measured_by(const std::string& objective, const Oracle::Rule& rule) const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("reading_times");
    Json probe =
        spec.prepare(Params(spec.params, {{"path", "a.jsonl"}}),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "reading_times";
    Oracle network(rule);
    return measured_on_text(byte_corpus(), trial_of({{"type", objective}}), network, probe,
                            folder_ / "cache");
  }

  std::filesystem::path folder_;
};

/// Expects the byte before to be repeated.
std::vector<double> expects_repeats(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const std::size_t before = seen.row[seen.place] == mask_token ? seen.place - 1 : seen.place;
  logits[static_cast<std::size_t>(seen.row[before])] = 5;
  return logits;
}

TEST_F(ReadingTimes, AreExplainedByAModelThatIsSurprisedWherePeopleAre) {
  std::ofstream lines(folder_ / "a.jsonl");
  for (int i = 0; i < 60; ++i)  // people read what repeats faster
    lines << Json({{"prefix", std::string(1 + i % 4, i % 2 ? 'a' : 'b')},
                   {"completions", {i % 3 ? "a" : "b"}},
                   {"ratios", {(i % 2 == (i % 3 ? 1 : 0) ? 200 : 300) + i % 5}}})
                 .dump()
          << "\n";
  lines.close();
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = measured_by(objective, expects_repeats);
    EXPECT_GT(m.metrics.at("reading_times.gain"), 1) << objective;
    EXPECT_GT(m.metrics.at("reading_times.r2_gain"), .7) << objective;
    EXPECT_GT(m.metrics.at("reading_times.correlation"), .8) << objective;
    EXPECT_NEAR(m.metrics.at("reading_times.untrained"), 0, 1e-9) << "it is surprised by all alike";
    EXPECT_NEAR(m.metrics.at("reading_times.untrained_r2_gain"), 0, 1e-9);
    EXPECT_EQ(m.items.at("reading_times.gain").size(), 60u);
  }
}

TEST_F(ReadingTimes, AreRefusedWithFileLineAndReason) {
  EXPECT_THAT(refused("{\"sentence_good\": \"a\", \"sentence_bad\": \"b\"}"),
              HasSubstr("a.jsonl:2: has no 'completions'"));
  EXPECT_THAT(refused("{\"completions\": [\"a\", \"b\"], \"ratios\": [1, 2]}"),
              HasSubstr("'completions' is not a list of one string"));
  const std::string one = "{\"completions\": [\"a\"]";
  for (const char* given : {"", ", \"ratios\": []", ", \"ratios\": [1, 2]", ", \"ratios\": [0]",
                            ", \"ratios\": [\"x\"]", ", \"ratios\": 300", ", \"ratios\": [1e300]"})
    EXPECT_THAT(refused(one + given + "}"), HasSubstr("not a list of one number above 0")) << given;
  EXPECT_EQ(refused(one + ", \"ratios\": [300]}"), "accepted");
}

TEST_F(ReadingTimes, AreRefusedByThePlanWhereNoRegressionCouldExplainThem) {
  std::string lines;
  for (std::size_t i = 0; i < kFewestWords; ++i)
    lines += "{\"completions\": [\"a\"], \"ratios\": [300]}\n";
  file(lines);
  EXPECT_THAT([&] { measured_by("causal_lm", expects_repeats); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("all times of the file are equal")));
  file("{\"completions\": [\"a\"], \"ratios\": [300]}");
  EXPECT_THAT([&] { measured_by("causal_lm", expects_repeats); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("the file has 1 words")));
}

TEST(ReadingTimesSpec, RefusesArmsThatWouldReadOtherWords) {
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("reading_times");
  const ObjectiveSpec& objective = objective_named("causal_lm");
  const Params params(objective.params, Json::object());
  const auto refusal = [&](const Json& settings, bool language, std::int64_t fewest) {
    return spec.refusal(Params(spec.params, settings),
                        {objective, params, {}, {}, language, 64, fewest});
  };
  EXPECT_EQ(refusal({{"path", "a"}}, false, 64), "");
  EXPECT_THAT(refusal({{"path", "a"}}, false, 32), HasSubstr("the arms differ in context"));
  EXPECT_THAT(refusal({{"path", "a"}}, true, 64), HasSubstr("nobody has read"));
  EXPECT_THAT(refusal(Json::object(), false, 64), HasSubstr("it needs a file of words"));
}

}  // namespace
}  // namespace ablate::probes
