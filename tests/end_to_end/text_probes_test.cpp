// Probes that compare arms on a user's text, from the plan to the report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing::HasSubstr;

constexpr const char* kExperiment = R"({
  "name": "codes",
  "question": "How short does each arm make a text?",
  "corpus": {"kind": "text", "paths": ["text.txt"], "documents": "lines",
             "held_out": {"share": 0.2}, "tokenizer": {"kind": "bytes"}},
  "model": {"depth": 1, "width": 16, "heads": 2, "context": 32},
  "train": {"budget": {"steps": 20}, "batch": 4},
  "match": {"on": []},
  "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
           {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}},
           {"name": "pairs", "set": {"objective": {"type": "masked_lm", "format": "pair"}}}],
  "baseline": "clm",
  "seeds": 1,
  "probes": [{"type": "compression", "tokens": 300},
             {"type": "representation", "development_documents": 10, "test_documents": 20}],
  "analysis": {"primary": "representation.ndcg_at_10"}
})";

/// Sentences of a few words in random order.
std::string sea_text() {
  constexpr const char* kWords[] = {"the ", "sea ", "a ", "ship ", "sails ", "by ", "night "};
  Rng rng(1);
  std::string text;
  for (int line = 0; line < 400; ++line) {
    for (int word = 0; word < 8; ++word) text += kWords[rng.below(std::ssize(kWords))];
    text += "\n";
  }
  return text;
}

TEST(TextProbes, CodeTheTextUnderEveryArmThatCan) {
  const testing_support::Workplace place;
  place.write("text.txt", sea_text());
  const std::string results = (place.folder() / "results").string();
  const auto run = [&] {
    return place.ablate({"run", place.write("codes.json", kExperiment).string(), "--results",
                         results, "--progress", "none"});
  };
  const auto finished = run();
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json report = testing_support::report_of(place, results);
  for (const Json& arm : report.at("arms")) {
    const std::string name = arm.at("name");
    const auto has = [&](const char* metric) {
      return arm.at("metrics").contains(fmt::format("compression.{}", metric));
    };
    EXPECT_TRUE(has("xz") && has("zstd") && has("kneser_ney") && has("xz_after_training")) << name;
    EXPECT_EQ(has("bits_per_byte"), name != "pairs") << name;
    EXPECT_EQ(has("prequential"), name == "clm") << name;
    EXPECT_TRUE(arm.at("metrics").contains("representation.ndcg_at_10")) << name;
  }
  const auto mean = [&](const char* metric) {
    return report.at("arms")[0].at("metrics").at(metric).at("mean").get<double>();
  };
  EXPECT_LT(mean("compression.kneser_ney"), mean("compression.unigram"));
  EXPECT_LT(mean("compression.xz_after_training"), mean("compression.xz"));
  EXPECT_GT(mean("compression.prequential"), mean("compression.kneser_ney"));
  ASSERT_EQ(place.ablate({"report", results}).exit_code, exit_ok);
  EXPECT_THAT(read_file(place.folder() / "results" / "report" / "report.md"),
              HasSubstr("compression.unigram of pairs: this arm has no code of its own"));
  const std::int64_t lines = testing_support::journal_lines(results);
  EXPECT_EQ(run().exit_code, exit_ok);
  EXPECT_EQ(testing_support::journal_lines(results), lines) << "nothing is measured again";
}

}  // namespace
}  // namespace ablate
