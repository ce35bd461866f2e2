// Minimal pairs: ties, order and length decide nothing; the scores are the exact predictor's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/minimal_pairs/choice_files_spec.h"
#include "harness/probes/minimal_pairs/choice_scores.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"
#include "tests/paths.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<ChoiceItem> pairs_of(std::size_t count) {
  std::vector<ChoiceItem> items;
  for (std::size_t i = 0; i < count; ++i)
    items.push_back({.group = i % 2, .first = 2 * i, .count = 2, .right = 0});
  return items;
}

TEST(ChoiceScores, OfEqualCostsAreExactlyAHalf) {
  const std::vector<double> costs(20, 3.25);
  const GroupMean mean = group_mean(pairs_of(10), credits_of(pairs_of(10), costs));
  EXPECT_EQ(mean.mean, 0.5);
  EXPECT_EQ(mean.error, 0);
}

TEST(ChoiceScores, DoNotDependOnTheOrderOfCompletions) {
  std::vector<ChoiceItem> items = pairs_of(3), swapped = items;
  const std::vector<double> costs = {1, 2, 5, 4, 3, 3};
  std::vector<double> other = costs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    swapped[i].right = 1;
    std::swap(other[2 * i], other[2 * i + 1]);
  }
  EXPECT_THAT(credits_of(items, costs), ElementsAre(1, 0, 0.5));
  EXPECT_EQ(credits_of(swapped, other), credits_of(items, costs));
}

// Group 0 has credits 1, 1, 0, 0 and group 1 has 1: the mean over groups is .75, over items .6; the
// error is that of group 0, sqrt(.25 / 4) / 2.
TEST(ChoiceScores, CountGroupsAlike) {
  std::vector<ChoiceItem> items(5);
  items[4].group = 1;
  const std::vector<double> credits = {1, 1, 0, 0, 1};
  EXPECT_DOUBLE_EQ(group_mean(items, credits).mean, 0.75);
  EXPECT_DOUBLE_EQ(group_mean(items, credits).error, 0.125);
  EXPECT_DOUBLE_EQ(group_mean(items, credits, std::vector<std::uint8_t>{1, 0, 0, 0, 0}).mean, 1);
}

class MinimalPairs : public ::testing::Test {
 protected:
  MinimalPairs() : folder_(scratch_folder("pairs")) {}
  ~MinimalPairs() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text, const std::string& name = "a.jsonl") const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  std::string refused(const std::string& line) const {
    try {
      read_choices(file("\n" + line));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  }

  Measurement measured_by(const std::string& objective, const Oracle::Rule& rule) const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("minimal_pairs");
    Json probe =
        spec.prepare(Params(spec.params, {{"path", "a.jsonl"}}),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "minimal_pairs";
    Oracle network(rule);
    return measured_on_text(byte_corpus(), trial_of({{"type", objective}}), network, probe,
                            folder_ / "cache");
  }

  std::filesystem::path folder_;
};

const char* const kPairs =
    "{\"sentence_good\": \"aa bb\", \"sentence_bad\": \"ab bb\", \"field\": \"syntax/semantics\", "
    "\"UID\": \"first\"}\n"
    "{\"sentence_good\": \"aaaa\", \"sentence_bad\": \"b\", \"field\": \"syntax\", \"UID\": "
    "\"second\"}\n";

TEST_F(MinimalPairs, AreReadInBothForms) {
  const auto blimp = read_choices(file(kPairs));
  ASSERT_EQ(blimp.size(), 2u);
  EXPECT_THAT(blimp[0].completions, ElementsAre("aa bb", "ab bb"));
  EXPECT_EQ(blimp[0].field, "syntax_semantics");
  EXPECT_EQ(blimp[1].group, "second");
  const auto others = read_choices(
      file("{\"prefix\": \"x\", \"completions\": [\"a\", \"b\", \"c\"], \"label\": 2}"));
  EXPECT_EQ(others[0].prefix, "x");
  EXPECT_EQ(others[0].right, 2u);
}

TEST_F(MinimalPairs, AreReadFromAllFilesOfAFolder) {
  file(kPairs, "b.jsonl");
  file(kPairs, "a.jsonl");
  file("not read", "a.txt");
  EXPECT_EQ(read_choices(folder_).size(), 4u);
}

TEST_F(MinimalPairs, AreRefusedWithFileLineAndReason) {
  EXPECT_THAT(refused("{\"sentence_good\": \"a\"}"), HasSubstr("a.jsonl:2: has no 'sentence_bad'"));
  EXPECT_THAT(refused("{\"completions\": [\"a\"], \"label\": 0}"), HasSubstr("at least two"));
  EXPECT_THAT(refused("{\"completions\": [\"a\", \"b\"], \"label\": 2}"), HasSubstr("'label'"));
  EXPECT_THAT(refused("{\"completions\": [\"a\", \"b\"], \"label\": -1}"), HasSubstr("'label'"));
  EXPECT_THAT(refused("{\"completions\": [\"a\", \" \"], \"label\": 0}"), HasSubstr("blank"));
  EXPECT_THAT(refused("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refused(""), HasSubstr("contains no choices"));
}

TEST_F(MinimalPairs, MarkTheWordsOfACompletionAndCountItsPrefix) {
  const data::CorpusContent content = choice_content(
      {{.prefix = "x ", .completions = {"ab c", "d"}, .group = "g"}}, 0, ByteTokenizer());
  const auto& marks = content.training.marks;
  ASSERT_EQ(marks.size(), 8u + 5u);
  EXPECT_EQ(content.about.at("prefix_tokens"), Json({2, 2}));
  EXPECT_EQ(content.about.at("characters"), Json({4, 1}));
  EXPECT_TRUE(marks[3] & word_mark);   // a
  EXPECT_FALSE(marks[4] & word_mark);  // b
  EXPECT_TRUE(marks[6] & word_mark);   // c
}

TEST_F(MinimalPairs, TakeNoMoreOfAGroupThanAsked) {
  std::vector<Choice> choices(5, {.completions = {"a", "b"}, .group = "g"});
  choices.push_back({.completions = {"a", "b"}, .group = "h"});
  EXPECT_EQ(choice_content(choices, 2, ByteTokenizer()).about.at("items").size(), 3u);
  EXPECT_EQ(choice_content(choices, 0, ByteTokenizer()).about.at("items").size(), 6u);
}

// Ties everywhere, whatever the lengths: by the sum on pairs of equal length, and per token.
TEST_F(MinimalPairs, OfAConstantModelAreExactlyAHalf) {
  file(kPairs);
  for (const char* objective : {"causal_lm", "masked_lm", "prefix_lm"}) {
    const auto m = measured_by(objective, uniform_rule({.ordinary = 256})).metrics;
    for (const char* of : {"accuracy", "pseudo_accuracy"}) {
      const std::string name = std::string("minimal_pairs.") + of;
      if (!m.contains(name)) continue;
      EXPECT_EQ(m.at(name + "_equal_length"), 0.5) << objective;
      EXPECT_EQ(m.at(name + "_per_token"), 0.5) << objective;
    }
    EXPECT_EQ(m.at("minimal_pairs.untrained_equal_length"), 0.5) << objective;
    EXPECT_EQ(m.at("minimal_pairs.chance"), 0.5);
    EXPECT_EQ(m.contains("minimal_pairs.pseudo_accuracy"), std::string(objective) == "masked_lm");
  }
}

// What a network computes of a row depends a little on the row's place in the batch: here a lot.
Oracle::Rule unsteady_rule() {
  auto calls = std::make_shared<int>(0);
  return [calls](const Seen&) {
    std::vector<double> logits(16 + 256, 0.0);
    for (std::size_t i = 0; i < logits.size(); ++i)
      logits[i] = .01 * static_cast<double>((static_cast<std::size_t>(*calls) * 37 + i * 11) % 101);
    ++*calls;
    return logits;
  };
}

TEST_F(MinimalPairs, OfTheSameSentenceTwiceAreExactlyAHalf) {
  std::filesystem::copy_file(project_root() / "tests/cases/pairs_same.jsonl", folder_ / "a.jsonl");
  for (const char* objective : {"causal_lm", "masked_lm", "prefix_lm"}) {
    const Measurement m = measured_by(objective, unsteady_rule());
    EXPECT_GT(m.details.at("choices"), 5) << objective << ": of those that fit the context";
    for (const auto& [name, value] : m.metrics)
      if (name.find("accuracy") != name.npos || name.find("untrained") != name.npos) {
        EXPECT_EQ(value, 0.5) << objective << ", " << name;
      }
  }
}

// A model that says the same of every token prefers the shorter sentence: a tie in the first pair,
// wrong in the second.
TEST_F(MinimalPairs, FavourShortSentencesByTheSum) {
  file(kPairs);
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const auto m = measured_by(objective, uniform_rule({.ordinary = 256})).metrics;
    EXPECT_EQ(m.at("minimal_pairs.accuracy"), 0.25) << objective;
    EXPECT_EQ(m.at("minimal_pairs.equal_length"), 0.5);
    EXPECT_EQ(m.at("minimal_pairs.accuracy_syntax_semantics"), 0.5);
    EXPECT_EQ(m.at("minimal_pairs.accuracy_syntax"), 0);
  }
}

TEST_F(MinimalPairs, OfUnequalLengthHaveNoHeadlineAndSayWhy) {
  file("{\"sentence_good\": \"aaaa\", \"sentence_bad\": \"b\"}\n");
  const Measurement m = measured_by("causal_lm", uniform_rule({.ordinary = 256}));
  EXPECT_FALSE(m.metrics.contains("minimal_pairs.accuracy_equal_length"));
  EXPECT_EQ(m.details.at("absent").at("minimal_pairs.accuracy_equal_length"),
            "no item has completions of equally many tokens");
}

// Each part has its items, its accuracy and the error of drawing others; fields and groups alike.
TEST_F(MinimalPairs, AreKeptByFieldAndByGroup) {
  file(kPairs);
  const Measurement m = measured_by("causal_lm", uniform_rule({.ordinary = 256}));
  const Json& parts = m.details.at("parts").at("minimal_pairs.accuracy");
  const Json half = {{"items", 1}, {"accuracy", 0.5}, {"item_error", 0.0}};
  Json first = half, field = half;
  first["name"] = "first";
  field["name"] = "syntax_semantics";
  EXPECT_EQ(parts.at("group").at(0), first);
  EXPECT_EQ(parts.at("field").at(0), field);
  EXPECT_EQ(parts.at("group").size(), 2u);
  EXPECT_EQ(m.details.at("items").at("minimal_pairs.accuracy_equal_length"), Json({0.5}));
}

// The pseudo-log-likelihood is the measure of arms that fill masks: it has all that the other has.
TEST_F(MinimalPairs, ByPseudoLikelihoodHavePartsAnErrorAndAFloorToo) {
  file(kPairs);
  const Measurement m = measured_by("masked_lm", uniform_rule({.ordinary = 256}));
  const Json& parts = m.details.at("parts");
  EXPECT_EQ(parts.at("minimal_pairs.pseudo_accuracy"), parts.at("minimal_pairs.accuracy"));
  for (const char* name : {"item_error", "item_error_equal_length", "untrained",
                           "untrained_equal_length", "accuracy_syntax_semantics"})
    EXPECT_EQ(m.metrics.at(std::string("minimal_pairs.pseudo_") + name),
              m.metrics.at(std::string("minimal_pairs.") + name))
        << name;
}

// What comes first is asked about like the rest: it is scored given the begin token.
TEST_F(MinimalPairs, AreToldApartByTheirFirstToken) {
  file("{\"sentence_good\": \"az\", \"sentence_bad\": \"bz\", \"field\": \"f\", \"UID\": \"u\"}\n");
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const auto likes_a = [](const Seen&) {
      std::vector<double> logits(16 + 256, 0.0);
      logits[16 + 'a'] = 5;
      return logits;
    };
    const auto m = measured_by(objective, likes_a).metrics;
    EXPECT_EQ(m.at("minimal_pairs.accuracy"), 1) << objective;
  }
}

/// Likes a token more where it repeats the one before it.
std::vector<double> likes_repeats(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const std::size_t before = seen.row[seen.place] == mask_token ? seen.place - 1 : seen.place;
  logits[static_cast<std::size_t>(seen.row[before])] = 5;
  return logits;
}

// "aa bb" repeats once more than "ab bb". In the pseudo-log-likelihoods, too: in the original one
// the tokens before are all shown, by words those of the same word are hidden.
TEST_F(MinimalPairs, FollowTheModel) {
  file(kPairs);
  const Measurement causal = measured_by("causal_lm", likes_repeats);
  EXPECT_EQ(causal.metrics.at("minimal_pairs.accuracy_equal_length"), 1.0);
  const Measurement masked = measured_by("masked_lm", likes_repeats);
  EXPECT_EQ(masked.metrics.at("minimal_pairs.accuracy_equal_length"), 1.0);
  EXPECT_EQ(masked.metrics.at("minimal_pairs.pseudo_accuracy"), 0.5);
}

/// Logits that depend on all tokens that are seen, their places included.
std::vector<double> opinionated(const Seen& seen) {
  Rng rng(7);
  for (const Token token : seen.visible) rng = rng.fork(static_cast<std::uint64_t>(token));
  std::vector<double> logits(16 + 256);
  for (double& logit : logits) logit = rng.normal();
  return logits;
}

std::string letter_pairs(const std::string& after) {
  std::string lines;
  for (char c = 'b'; c <= 'z'; ++c)
    lines += std::string("{\"sentence_good\": \"a") + after + "\", \"sentence_bad\": \"" + c +
             after + "\", \"field\": \"f\", \"UID\": \"u\"}\n";
  return lines;
}

TEST_F(MinimalPairs, HaveOnePseudoLikelihoodWhereWordsAreOnePiece) {
  const auto accuracies = [&](const std::string& after) {
    file(letter_pairs(after));
    const auto m = measured_by("masked_lm", opinionated).metrics;
    return std::vector<double>{m.at("minimal_pairs.pseudo_accuracy"),
                               m.at("minimal_pairs.pseudo_accuracy_original"),
                               m.at("minimal_pairs.pseudo_accuracy_whole_word")};
  };
  const std::vector<double> one_piece = accuracies("");
  EXPECT_EQ(one_piece, std::vector<double>(3, one_piece[0]));
  const std::vector<double> pieces = accuracies("xyz");
  EXPECT_NE(pieces, std::vector<double>(3, pieces[0])) << "words of four pieces";
}

}  // namespace
}  // namespace ablate::probes
