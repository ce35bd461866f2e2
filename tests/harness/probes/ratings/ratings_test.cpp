// Ratings: a model that finds likelier what people prefer correlates with them, whatever the lengths.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "harness/probes/minimal_pairs/choice_files_spec.h"
#include "harness/probes/ratings/rated_fractions.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"
#include "tests/paths.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RatedFractions, AddUpToOneAndDoNotDependOnACommonCost) {
  const std::vector<ChoiceItem> items = {{.first = 0, .count = 2}, {.first = 2, .count = 3}};
  const std::vector<double> costs = {1, 1 + std::log(3), 1000, 1000, 1000};
  const std::vector<double> fractions = fractions_of(items, costs);
  EXPECT_NEAR(fractions[0], .75, 1e-15);
  EXPECT_NEAR(fractions[1], .25, 1e-15);
  EXPECT_NEAR(fractions[4], 1 / 3.0, 1e-15);
  EXPECT_THAT(without_last(items, costs), ElementsAre(1, 1000, 1000));
}

class Ratings : public ::testing::Test {
 protected:
  Ratings() : folder_(scratch_folder("ratings")) {}
  ~Ratings() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "a.jsonl") << text;
    return folder_ / "a.jsonl";
  }

  std::string refused(const std::string& line) const {
    try {
      read_choices(file("\n" + line), ChoiceKind::rated);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  }

  Measurement measured_by(const std::string& objective, const Oracle::Rule& rule) const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("ratings");
    Json probe =
        spec.prepare(Params(spec.params, {{"path", "a.jsonl"}}),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "ratings";
    Oracle network(rule);
    return measured_on_text(byte_corpus(), trial_of({{"type", objective}}), network, probe,
                            folder_ / "cache");
  }

  std::filesystem::path folder_;
};

/// Likes a token more where it repeats the one before it.
std::vector<double> prefers_repeats(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const std::size_t before = seen.row[seen.place] == mask_token ? seen.place - 1 : seen.place;
  logits[static_cast<std::size_t>(seen.row[before])] = 5;
  return logits;
}

// People prefer what repeats, the more so the longer it does; then the other way round.
const char* const kAgrees =
    "{\"prefix\": \"a\", \"completions\": [\"aa\", \"bc\"], \"ratios\": [9, 1]}\n"
    "{\"prefix\": \"a\", \"completions\": [\"bc\", \"bb\"], \"ratios\": [30, 70]}\n"
    "{\"prefix\": \"a\", \"completions\": [\"cb\", \"aa\"], \"ratios\": [0.1, 0.9]}\n";

TEST_F(Ratings, CorrelateWithAModelThatPrefersTheSame) {
  file(kAgrees);
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = measured_by(objective, prefers_repeats);
    EXPECT_GT(m.metrics.at("ratings.correlation"), .85) << objective;
    EXPECT_GT(m.metrics.at("ratings.correlation_per_token"), .85) << objective;
  }
}

TEST_F(Ratings, OfAModelThatPrefersNothingAreUncorrelated) {
  file(kAgrees);
  const Measurement m = measured_by("causal_lm", uniform_rule({.ordinary = 256}));
  EXPECT_FALSE(m.metrics.contains("ratings.correlation_per_token")) << "nothing varies";
  EXPECT_EQ(m.details.at("absent").at("ratings.correlation_per_token"),
            "all ratings are equal, or all costs");
}

TEST_F(Ratings, ThatAreAllEqualHaveNoCorrelation) {
  std::filesystem::copy_file(project_root() / "tests/cases/rat_equal.jsonl", folder_ / "a.jsonl");
  const Measurement m = measured_by("causal_lm", prefers_repeats);
  for (const char* name :
       {"ratings.correlation", "ratings.correlation_per_token", "ratings.untrained"})
    EXPECT_FALSE(m.metrics.contains(name)) << name;
}

TEST_F(Ratings, OfEqualCompletionsHaveNoCorrelation) {
  file(
      "{\"completions\": [\"ab\", \"ab\"], \"ratios\": [9, 1]}\n"
      "{\"completions\": [\"abc\", \"abc\"], \"ratios\": [2, 3]}\n"
      "{\"completions\": [\"b\", \"b\"], \"ratios\": [1, 3]}\n");
  auto calls = std::make_shared<int>(0);
  const Measurement m = measured_by("causal_lm", [calls](const Seen&) {
    std::vector<double> logits(16 + 256, 0.0);
    logits[16 + 'b'] = .1 * (++*calls % 7);  // of every row something else
    return logits;
  });
  EXPECT_FALSE(m.metrics.contains("ratings.correlation"));
}

TEST_F(Ratings, AreRefusedWithFileLineAndReason) {
  EXPECT_THAT(refused("{\"sentence_good\": \"a\", \"sentence_bad\": \"b\"}"),
              HasSubstr("a.jsonl:2: has no 'completions'"));
  const std::string two = "{\"completions\": [\"a\", \"b\"]";
  EXPECT_THAT(refused(two + ", \"label\": 0}"), HasSubstr("'ratios' is not a list of 2 numbers"));
  EXPECT_THAT(refused(two + ", \"ratios\": [1]}"), HasSubstr("'ratios' is not a list of 2"));
  EXPECT_THAT(refused(two + ", \"ratios\": [1, -1]}"), HasSubstr("not a number of at least 0"));
  EXPECT_THAT(refused(two + ", \"ratios\": [1, \"x\"]}"), HasSubstr("not a number of at least 0"));
  EXPECT_THAT(refused(two + ", \"ratios\": [0, 0]}"), HasSubstr("all 'ratios' are 0"));
}

}  // namespace
}  // namespace ablate::probes
