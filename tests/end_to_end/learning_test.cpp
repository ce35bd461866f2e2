// What the project is for, at a small budget: arms learn, and none beats the optimum of its
// objective.

#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::report_of;
using testing_support::Workplace;

double mean_of(const Json& arm, const char* metric) {
  return arm.at("metrics").at(metric).at("mean").get<double>();
}

TEST(QuickstartExperiment, LearnsOfTheLanguageAndBeatsNoOptimum) {
  const Workplace place;
  const std::string results = (place.folder() / "results").string();
  // A third of the shipped budget; all of it closes .78 of the way for clm and .62 for mlm.
  const Finished finished = place.ablate({"run", PROJECT_ROOT "/experiments/quickstart.json",
                                          "--results", results, "--progress", "none", "--only",
                                          "seed=1", "--set", "train.budget.tokens=300000"});
  ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  const Json arms = report_of(place, results).at("arms");
  ASSERT_EQ(arms.size(), 2u);
  const double least_share[] = {0.5, 0.1};  // clm, mlm
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const Json& arm = arms[i];
    EXPECT_GT(mean_of(arm, "held_out.share_learned"), least_share[i]) << arm.at("name");
    // A model below the optimum by more than chance allows sees what it should not.
    EXPECT_GT(mean_of(arm, "held_out.excess"), -3 * mean_of(arm, "held_out.excess_error"));
    EXPECT_GT(mean_of(arm, "topic.accuracy"), mean_of(arm, "topic.untrained")) << arm.at("name");
    EXPECT_LE(mean_of(arm, "topic.accuracy"), mean_of(arm, "topic.bayes") + 0.05);
    EXPECT_LT(mean_of(arm, "generation.log_probability"), 0);
  }
}

}  // namespace
}  // namespace ablate
