// Probes on the way: they change nothing of the training, are made once, and give the same numbers
// wherever a run was killed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <set>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"

namespace ablate {
namespace {

using testing_support::at_line;
using testing_support::Finished;
using testing_support::journal_lines;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

namespace fs = std::filesystem;

const std::string kMeasuredExperiment = tiny_experiment(R"({
  "question": "Do probes on the way change anything?",
  "corpus": {"tokens": 20000, "held_out_tokens": 4096},
  "train": {"budget": {"steps": 120}, "batch": 8},
  "probes": [{"type": "held_out", "texts": 20}, {"type": "cloze", "documents": 10}]
})");

const std::vector<std::string> kPoints = {"--set", "probes.held_out.at.fractions=[0.1,0.5]",
                                          "--set", "probes.cloze.at.doublings=2"};

class MeasuringOnTheWay : public testing::Test {
 protected:
  std::vector<std::string> run(const std::string& results, std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"run",        file.string(),
                                          "--results",  (place.folder() / results).string(),
                                          "--progress", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  void finish(const std::string& results, const std::vector<std::string>& more = {}) const {
    const Finished finished = place.ablate(run(results, more));
    ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
  }

  std::vector<fs::path> trials(const std::string& results) const {
    std::vector<fs::path> folders;
    for (const auto& [id, folder] : store::listed_trials(place.folder() / results))
      folders.push_back(folder);
    return folders;
  }

  /// The final weights of every trial, by its id.
  std::map<std::string, std::string> weights(const std::string& results) const {
    std::map<std::string, std::string> all;
    for (const fs::path& trial : trials(results))
      all[trial.filename()] = read_file(trial / "weights.safetensors");
    return all;
  }

  /// The losses of every trial's curve: the last attempt of each step.
  std::map<std::string, std::map<std::int64_t, Json>> curves(const std::string& results) const {
    std::map<std::string, std::map<std::int64_t, Json>> all;
    for (const fs::path& trial : trials(results))
      for (const Json& event : store::read_journal(trial / "journal.jsonl"))
        if (event.at("event") == "curve")
          all[trial.filename()][event.at("step")] = {event.at("loss"), event.at("text_tokens"),
                                                     event.at("learning_rate")};
    return all;
  }

  /// Every measurement, by its id: what was measured, without times. Each is there once.
  std::map<std::string, Json> measurements(const std::string& results) const {
    std::map<std::string, Json> all;
    for (const fs::path& trial : trials(results))
      for (const Json& event : store::read_journal(trial / "journal.jsonl")) {
        if (event.at("event") != "measurement") continue;
        Json at = event.value("at", Json::object());
        at.erase("seconds");
        EXPECT_TRUE(all.try_emplace(event.at("id"), Json{event.at("metrics"), at}).second)
            << results << ": measured twice";
      }
    return all;
  }

  std::set<std::string> snapshots(const std::string& results) const {
    std::set<std::string> names;
    for (const fs::path& trial : trials(results))
      for (const auto& entry : fs::directory_iterator(trial))
        if (entry.path().filename().string().starts_with("snapshot"))
          names.insert(entry.path().filename());
    return names;
  }

  Workplace place;
  fs::path file = place.write("tiny.json", kMeasuredExperiment);
};

TEST_F(MeasuringOnTheWay, LeavesTheTrainingAndTheEndAsTheyAre) {
  finish("plain");
  finish("kept", kPoints);
  finish("bank", {"--set", kPoints[1], "--set", kPoints[3], "--lanes", "4", "--workers", "1"});
  const auto plain = measurements("plain"), kept = measurements("kept");
  EXPECT_EQ(plain.size(), 8u);
  EXPECT_EQ(kept.size(), 8u + 4u * 4u);
  EXPECT_EQ(measurements("bank"), kept);
  for (const auto& [id, made] : plain) {
    ASSERT_TRUE(kept.contains(id)) << "the id of what is measured at the end";
    EXPECT_EQ(kept.at(id), made);
  }
  for (const char* results : {"kept", "bank"}) {
    EXPECT_EQ(weights(results), weights("plain")) << results;
    EXPECT_EQ(curves(results), curves("plain")) << results;
    EXPECT_THAT(snapshots(results), testing::IsEmpty()) << results;
  }
  const Json report = report_of(place, place.folder() / "kept");
  const Json expected = report_of(place, place.folder() / "plain");
  EXPECT_TRUE(expected.at("dynamics").at("courses").empty());
  for (const auto& [part, value] : expected.items()) {
    if (std::set<std::string>{"dynamics", "date", "ledger", "speed"}.contains(part)) continue;
    EXPECT_EQ(report.at(part), value) << part << ": readers of the end do not see the way";
  }
  for (const Json& course : report.at("dynamics").at("courses")) {
    ASSERT_EQ(course.at("points").size(), 3u) << course.at("metric");
    EXPECT_EQ(course.at("points").at(2).at("step"), 120);
    EXPECT_EQ(course.at("points").at(0).at("n"), 2);
  }
}

TEST_F(MeasuringOnTheWay, GivesTheSameNumbersWhereverTheRunWasKilled) {
  finish("complete", kPoints);
  const std::int64_t all_lines = journal_lines(place.folder() / "complete");
  for (const double share : {.1, .35, .6}) {
    const std::string results = "killed" + std::to_string(static_cast<int>(100 * share));
    const auto lines = static_cast<std::int64_t>(share * static_cast<double>(all_lines));
    std::vector<std::string> often = kPoints;
    often.insert(often.end(), {"--checkpoint-seconds", "0.02"});
    const Finished killed =
        place.ablate(run(results, often), at_line(lines, SIGKILL, place.folder() / results));
    EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
    finish(results, kPoints);
    EXPECT_EQ(measurements(results), measurements("complete")) << "killed at " << share;
    EXPECT_EQ(weights(results), weights("complete")) << "killed at " << share;
    EXPECT_THAT(snapshots(results), testing::IsEmpty());
  }
}

TEST_F(MeasuringOnTheWay, TrainsAgainWherePointsAreAddedLater) {
  finish("complete", kPoints);
  finish("added");
  finish("added", kPoints);
  EXPECT_EQ(measurements("added"), measurements("complete")) << "the end is not measured again";
  EXPECT_EQ(weights("added"), weights("complete"));
  bool told = false;
  for (const Json& event : store::read_journal(trials("added")[0] / "journal.jsonl"))
    told = told || (event.at("event") == "note" &&
                    event.at("message") ==
                        "trained again from the start: the weights after step 12 "
                        "are to be measured, and were not kept");
  EXPECT_TRUE(told);
}

TEST_F(MeasuringOnTheWay, IsInThePlanWithItsStepsAndItsWeights) {
  std::vector<std::string> arguments = {"plan", file.string()};
  arguments.insert(arguments.end(), kPoints.begin(), kPoints.end());
  const Finished plan = place.ablate(arguments);
  ASSERT_EQ(plan.exit_code, exit_ok) << plan.errors;
  EXPECT_THAT(plan.output, testing::HasSubstr("\nAlso measured during training (clm)\n"));
  EXPECT_THAT(plan.output, testing::ContainsRegex("\n  held_out +2 +12, 60\n  cloze +2 +30, 60\n"));
  EXPECT_THAT(plan.output,
              testing::ContainsRegex("Weights are kept until they are measured: 3 x [0-9.]+ MB a "
                                     "trial\\."));
}

}  // namespace
}  // namespace ablate
