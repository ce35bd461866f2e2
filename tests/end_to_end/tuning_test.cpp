// An experiment that tunes, run by the programs: killed in both stages, and resumed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing_support::Finished;
using testing_support::Interruption;
using testing_support::journal_lines;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

namespace fs = std::filesystem;

const std::string kTunedExperiment = tiny_experiment(R"({
  "question": "Does an experiment that tunes end as one that was not cut off?",
  "tuning": {"learning_rate": [1e-3, 3e-2], "seeds": 1}
})");

class TunedExperiment : public testing::Test {
 protected:
  Finished run(const std::string& results, const Interruption& interruption = {}) const {
    return place.ablate({"run", file.string(), "--results", (place.folder() / results).string(),
                         "--progress", "none"},
                        interruption);
  }

  /// What was chosen, and the numbers of the report.
  Json result_of(const std::string& results) const {
    Json report = report_of(place, place.folder() / results);
    return {report.at("tuning"), report.at("differences"), report.at("common_rate")};
  }

  Workplace place;
  fs::path file = place.write("tiny.json", kTunedExperiment);
};

TEST_F(TunedExperiment, EndsWithTheSameChoiceAndBitsWhereverItWasKilled) {
  ASSERT_EQ(run("whole").exit_code, exit_ok);
  const Json whole = result_of("whole");
  for (const char* stage : {"killed/tuning", "killed"}) {
    const auto trains = [&] { return journal_lines(place.folder() / stage) > 3; };
    EXPECT_EQ(run("killed", {SIGKILL, trains}).exit_code, 128 + SIGKILL) << stage;
  }
  const Finished finished = run("killed");
  EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
  EXPECT_EQ(result_of("killed"), whole);
}

TEST_F(TunedExperiment, TellsWhereItsTrialsAreBeforeThereIsAResult) {
  const fs::path results = place.folder() / "begun";
  run("begun", {SIGKILL, [&] { return journal_lines(results / "tuning") > 3; }});
  const Finished status = place.ablate({"status", results.string()});
  EXPECT_NE(status.exit_code, exit_ok);
  EXPECT_THAT(status.errors, testing::HasSubstr("learning rates are not chosen yet"));
  EXPECT_EQ(place.ablate({"status", (results / "tuning").string()}).exit_code, exit_ok);
}

}  // namespace
}  // namespace ablate
