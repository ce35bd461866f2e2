// A sweep that is interrupted in various ways and resumed gives the same numbers as one that is
// not.

#include <gtest/gtest.h>
#include <signal.h>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing_support::at_line;
using testing_support::Finished;
using testing_support::Interruption;
using testing_support::journal_lines;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

// Some seconds of work on one core.
const std::string kResumedExperiment = tiny_experiment(R"({
  "question": "Does a sweep that was cut off end as one that was not?",
  "corpus": {"tokens": 20000, "held_out_tokens": 4096},
  "train": {"budget": {"steps": 300}, "batch": 8},
  "probes": [{"type": "held_out", "texts": 50}]
})");

Json metrics_of(const Json& report) {
  Json metrics = Json::object();
  for (const Json& arm : report.at("arms"))
    metrics[arm.at("name").get<std::string>()] = arm.at("metrics");
  return metrics;
}

class ResumedSweep : public testing::Test {
 protected:
  std::vector<std::string> run(const std::string& results,
                               std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"run",        file.string(),
                                          "--results",  (place.folder() / results).string(),
                                          "--progress", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  Json finished_metrics(const std::string& results,
                        const std::vector<std::string>& more = {}) const {
    const Finished finished = place.ablate(run(results, more));
    EXPECT_EQ(finished.exit_code, exit_ok) << finished.errors;
    return metrics_of(report_of(place, place.folder() / results));
  }

  /// A signal that is sent once the sweep has written this many lines.
  Interruption at(const std::string& results, int signal, std::int64_t lines) const {
    return at_line(lines, signal, place.folder() / results);
  }

  Workplace place;
  std::filesystem::path file = place.write("tiny.json", kResumedExperiment);
};

TEST_F(ResumedSweep, EndsWithTheSameBitsWhereverItWasKilled) {
  const Json uninterrupted = finished_metrics("complete");
  const std::int64_t all_lines = journal_lines(place.folder() / "complete");
  Rng rng(1);
  for (int attempt = 0; attempt < 4; ++attempt) {
    const std::string results = "killed" + std::to_string(attempt);
    const auto first = static_cast<std::int64_t>(rng.below(all_lines / 2));
    const auto second = first + static_cast<std::int64_t>(rng.below(all_lines / 3));
    for (const std::int64_t lines : {first, second}) {
      const Finished killed =
          place.ablate(run(results, {"--checkpoint-seconds", "0.05"}), at(results, SIGKILL, lines));
      EXPECT_EQ(killed.exit_code, 128 + SIGKILL)
          << "at " << lines << " of " << all_lines << " lines";
    }
    EXPECT_EQ(finished_metrics(results), uninterrupted)
        << "killed at " << first << " and " << second << " of " << all_lines << " lines";
  }
}

TEST_F(ResumedSweep, TrainsABankOfLanesToTheBitsOfTrialsAlone) {
  const Json alone = finished_metrics("alone", {"--lanes", "1"});
  EXPECT_EQ(finished_metrics("bank", {"--lanes", "8", "--workers", "1"}), alone);
}

TEST_F(ResumedSweep, DoesNothingWhenAllIsDone) {
  const Json first = finished_metrics("twice");
  const Finished again = place.ablate(run("twice"));
  EXPECT_EQ(again.exit_code, exit_ok);
  EXPECT_EQ(metrics_of(report_of(place, place.folder() / "twice")), first);
}

TEST_F(ResumedSweep, LeavesAReportThatKeepsTheContract) {
  finished_metrics("contract");
  const Json report = report_of(place, place.folder() / "contract");
  EXPECT_EQ(report.at("experiment"), "tiny");
  ASSERT_EQ(report.at("arms").size(), 2u);
  for (const Json& arm : report.at("arms")) {
    EXPECT_EQ(arm.at("trials"), 2);
    EXPECT_EQ(arm.at("failed"), 0);
    const Json& metrics = arm.at("metrics");
    for (const char* name :
         {"held_out.loss", "held_out.optimum", "held_out.excess", "held_out.context_free"}) {
      ASSERT_TRUE(metrics.contains(name)) << name;
      EXPECT_EQ(metrics.at(name).at("n"), 2) << name;
      EXPECT_EQ(metrics.at(name).at("values").size(), 2u) << name;
    }
    EXPECT_GT(metrics.at("held_out.excess").at("mean").get<double>(), 0);
    EXPECT_LT(metrics.at("held_out.loss").at("mean").get<double>(),
              metrics.at("held_out.context_free").at("mean").get<double>() + 0.5);
  }
}

TEST_F(ResumedSweep, StopsWithACheckpointOnASignal) {
  // The run is asked to stop, not killed. Exit code 75 says that the same command resumes it.
  const Json uninterrupted = finished_metrics("complete");
  const std::int64_t half = journal_lines(place.folder() / "complete") / 2;
  const Finished stopped = place.ablate(run("stopped"), at("stopped", SIGTERM, half));
  EXPECT_EQ(stopped.exit_code, exit_preempted) << stopped.errors;
  EXPECT_EQ(finished_metrics("stopped"), uninterrupted);
}

}  // namespace
}  // namespace ablate
