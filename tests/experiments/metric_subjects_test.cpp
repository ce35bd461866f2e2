// What metrics are of: the titles that reports give to their groups.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "experiments/catalog.h"
#include "harness/plan/price/metrics.h"
#include "tests/paths.h"

namespace ablate {
namespace {

/// The subjects of all arms of a shipped experiment, by the part of names before the dot.
std::map<std::string, std::set<std::string>> subjects_in(const std::string& experiment) {
  plan::Faults faults;
  const plan::Experiment read = plan::read_experiment(
      catalog(), project_root() / "experiments" / (experiment + ".json"), {}, faults);
  std::map<std::string, std::set<std::string>> subjects;
  for (const auto& [arm, metrics] : plan::metrics_of(catalog(), read, faults))
    for (const Metric& metric : metrics)
      subjects[metric.name.substr(0, metric.name.find('.'))].insert(metric.subject);
  return subjects;
}

TEST(MetricSubjects, AreThoseOfTheirProbes) {
  const auto subjects = subjects_in("quickstart");
  for (const auto& [group, titles] : subjects) EXPECT_EQ(titles.size(), 1u) << group;
  EXPECT_THAT(subjects.at("held_out"), testing::ElementsAre("Held-out text"));
  EXPECT_THAT(subjects.at("topic"), testing::ElementsAre("Classification by topic"));
  EXPECT_THAT(subjects.at("state"), testing::ElementsAre("Hidden state of a token"));
}

TEST(MetricSubjects, EndWithTheNameThatAnExperimentGivesAProbe) {
  const auto subjects = subjects_in("evaluate_text");
  EXPECT_THAT(subjects.at("intent"), testing::ElementsAre("Frozen probe: intent"));
  EXPECT_THAT(subjects.at("tuned_intent"), testing::ElementsAre("Fine-tuning: tuned intent"));
}

}  // namespace
}  // namespace ablate
