// Probes that compare arms on a user's text, from the plan to the report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

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
              HasSubstr("held-out code length, no context of pairs: this arm has no code"));
  const std::int64_t lines = testing_support::journal_lines(results);
  EXPECT_EQ(run().exit_code, exit_ok);
  EXPECT_EQ(testing_support::journal_lines(results), lines) << "nothing is measured again";
}

/// Files of every form that evaluate_text reads, and what sets them.
std::vector<std::string> small_files(const testing_support::Workplace& place) {
  constexpr const char* kWords[] = {"sea", "ship", "sails", "night", "a", "the"};
  Rng rng(2);
  const auto words = [&](int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += fmt::format("{}{}", i > 0 ? " " : "", kWords[rng.below(std::ssize(kWords))]);
    return text;
  };
  std::string text, labels, pairs, tags, minimal, problems;
  for (int i = 0; i < 300; ++i) text += words(20) + (i % 3 == 2 ? "\n\n" : "\n");
  for (int i = 0; i < 60; ++i) {
    const char* const label = i % 2 == 0 ? "yes" : "no";
    labels += fmt::format("{{\"text\": \"{}\", \"label\": \"{}\"}}\n", words(5), label);
    pairs += fmt::format("{{\"text_a\": \"{}\", \"text_b\": \"{}\", \"label\": \"{}\"}}\n",
                         words(4), words(4), label);
    tags += "sea B-place\nsails O\nship B-thing\n\n";
  }
  for (int i = 0; i < 8; ++i) {
    minimal += fmt::format(
        "{{\"sentence_good\": \"{}\", \"sentence_bad\": \"{}\", \"field\": \"f\", "
        "\"UID\": \"u\"}}\n",
        words(4), words(4));
    problems += fmt::format(
        "{{\"prompt\": \"{} \", \"canonical_solution\": \"{}\", \"suffix\": \" {}\"}}\n", words(3),
        words(2), words(3));
  }
  std::vector<std::string> arguments;
  const auto set = [&](const std::string& setting, const std::string& file,
                       const std::string& bytes) {
    arguments.insert(arguments.end(),
                     {"--set", fmt::format("{}={}", setting, place.write(file, bytes).string())});
  };
  set("probes.minimal_pairs.path", "pairs.jsonl", minimal);
  set("probes.infilling.path", "problems.jsonl", problems);
  for (const char* part : {"train", "test"}) {
    set(fmt::format("probes.intent.{}", part), fmt::format("label-{}.jsonl", part), labels);
    set(fmt::format("probes.tuned_intent.{}", part), fmt::format("label-{}.jsonl", part), labels);
    set(fmt::format("probes.entailment.{}", part), fmt::format("pair-{}.jsonl", part), pairs);
    set(fmt::format("probes.tagging.{}", part), fmt::format("{}.conll", part), tags);
  }
  const std::string corpus = place.write("text.txt", text).string();
  arguments.insert(arguments.end(), {"--set", fmt::format("corpus.paths=[\"{}\"]", corpus)});
  return arguments;
}

TEST(TextProbes, EvaluateTextMeasuresFilesOfAllForms) {
  const testing_support::Workplace place;
  const std::string results = (place.folder() / "results").string();
  std::vector<std::string> arguments = {
      "run",        (project_root() / "experiments/evaluate_text.json").string(),
      "--results",  results,
      "--progress", "none"};
  for (const std::string& each : small_files(place)) arguments.push_back(each);
  for (const char* set : {"seeds=1",
                          "train.budget={\"positions\":4096}",
                          "corpus.tokenizer={\"kind\":\"bytes\"}",
                          "model.depth=1",
                          "model.width=32",
                          "probes.generation.samples=4",
                          "probes.text_quality.samples=20",
                          "probes.text_quality.judge_tokens=4000",
                          "probes.intent.training_documents=20",
                          "probes.intent.test_documents=20",
                          "probes.intent.label_counts=[8]",
                          "probes.tuned_intent.training_documents=20",
                          "probes.tuned_intent.development_documents=10",
                          "probes.tuned_intent.test_documents=20",
                          "probes.tuned_intent.epochs=1",
                          "probes.tuned_intent.label_counts=[8]",
                          "probes.entailment.training_documents=20",
                          "probes.entailment.development_documents=10",
                          "probes.entailment.test_documents=20",
                          "probes.tagging.training_sentences=20",
                          "probes.tagging.test_sentences=20",
                          "probes.representation.development_documents=10",
                          "probes.representation.test_documents=10",
                          "probes.compression.tokens=200"})
    arguments.insert(arguments.end(), {"--set", set});
  const auto finished = place.ablate(arguments);
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json report = testing_support::report_of(place, results);
  EXPECT_EQ(report.at("arms").size(), 6u);
  for (const Json& arm : report.at("arms"))
    for (const char* metric : {"cloze.loss_continuation", "intent.accuracy",
                               "tuned_intent.accuracy", "entailment.accuracy", "tagging.f1",
                               "infilling.bits_per_byte", "representation.ndcg_at_10"})
      EXPECT_TRUE(arm.at("metrics").contains(metric)) << arm.at("name") << " " << metric;
  EXPECT_FALSE(report.at("similarity").empty());
}

}  // namespace
}  // namespace ablate
