// At a small budget, arms learn, and none is better than the optimum of its objective.

#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::report_of;
using testing_support::Workplace;

double mean_of(const Json& arm, const char* metric) {
  return arm.at("metrics").at(metric).at("mean").get<double>();
}

TEST(QuickstartExperiment, LearnsTheLanguageAndBeatsNoOptimum) {
  const Workplace place;
  const std::string results = (place.folder() / "results").string();
  // A third of the shipped budget; all of it closes .78 of the way for clm and .62 for mlm.
  const Finished finished = place.ablate(
      {"run", (project_root() / "experiments/quickstart.json").string(), "--results", results,
       "--progress", "none", "--only", "seed=1", "--set", "train.budget.tokens=300000"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json arms = report_of(place, results).at("arms");
  ASSERT_EQ(arms.size(), 2u);
  const double least_share[] = {0.5, 0.1};  // clm, mlm
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const Json& arm = arms[i];
    EXPECT_GT(mean_of(arm, "held_out.share_learned"), least_share[i]) << arm.at("name");
    // A model that is significantly better than the optimum sees something that it should not.
    EXPECT_GT(mean_of(arm, "held_out.excess"), -3 * mean_of(arm, "held_out.excess_error"));
    EXPECT_GT(mean_of(arm, "state.accuracy_ambiguous"),
              mean_of(arm, "state.untrained_ambiguous") + 0.03)
        << arm.at("name");
    EXPECT_LE(mean_of(arm, "topic.accuracy"), mean_of(arm, "topic.bayes") + 0.05);
    EXPECT_LT(mean_of(arm, "generation.log_probability"), 0);
  }
  // The masked arm's budget is too small for the topic of a document.
  EXPECT_GT(mean_of(arms[0], "topic.accuracy"), mean_of(arms[0], "topic.untrained") + 0.2);
}

TEST(CompareObjectivesExperiment, NoObjectiveOfTheRegistryBeatsItsOptimum) {
  const Workplace place;
  const std::string results = (place.folder() / "results").string();
  const Finished finished =
      place.ablate({"run", (project_root() / "experiments/compare_objectives.json").string(),
                    "--results", results, "--progress", "none", "--only", "seed=1", "--set",
                    "train.budget.tokens=150000", "--set", "corpus.tokens=160000", "--set",
                    R"(probes=["held_out"])", "--set", "analysis.primary=held_out.loss"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  std::size_t bounded = 0;
  const Json report = report_of(place, results);
  for (const Json& arm : report.at("arms")) {
    // Where a generator of the model's own makes the labels, no floor is known but the initial weights.
    const bool floor = arm.at("metrics").contains("held_out.context_free");
    const char* const least = floor ? "held_out.context_free" : "held_out.untrained_loss";
    EXPECT_LT(mean_of(arm, "held_out.loss"), mean_of(arm, least) + 0.1) << arm.at("name");
    if (!arm.at("metrics").contains("held_out.excess")) continue;
    EXPECT_GT(mean_of(arm, "held_out.excess"), -3 * mean_of(arm, "held_out.excess_error"))
        << arm.at("name");
    ++bounded;
  }
  EXPECT_GE(bounded, 9u);
}

/// Documents of a few plain sentences.
std::string some_text() {
  const char* const who[] = {"the cat", "a dog", "my friend", "our teacher"};
  const char* const does[] = {"sees", "likes", "follows"};
  const char* const what[] = {"a tree", "the house", "two birds", "some bread", "the river"};
  std::string text;
  for (std::size_t i = 0; i < 1200; ++i) {
    text += std::string(who[i * 7 % 4]) + ' ' + does[i * 5 % 3] + ' ' + what[i * 11 % 5] + ". ";
    if (i % 4 == 3) text += "\n\n";
  }
  return text;
}

TEST(CompareObjectivesExperiment, TrainsEveryObjectiveOnText) {
  const Workplace place;
  const std::string results = (place.folder() / "results").string();
  const Json corpus = {{"kind", "text"},
                       {"paths", {place.write("text.txt", some_text()).string()}},
                       {"documents", "blank_lines"},
                       {"tokenizer", {{"kind", "bytes"}}}};
  const Finished finished = place.ablate(
      {"run", (project_root() / "experiments/compare_objectives.json").string(), "--results",
       results, "--progress", "none", "--only", "seed=1", "--set", "corpus=" + corpus.dump(),
       "--set", "train.budget.tokens=16384", "--set", R"(probes=["held_out","generation"])",
       "--set", "analysis.primary=held_out.loss"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json report = report_of(place, results);
  for (const Json& arm : report.at("arms"))
    EXPECT_LT(mean_of(arm, "held_out.loss"), 5.6) << arm.at("name") << ": ln of 272 ids";
}

}  // namespace
}  // namespace ablate
