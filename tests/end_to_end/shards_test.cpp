// Programs that run parts of one experiment in one folder: no trial is lost or trained twice, whoever dies or meets whom,
// and the numbers are those of one undisturbed run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/store/folder/lock.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::at_line;
using testing_support::Finished;
using testing_support::Interruption;
using testing_support::report_of;
using testing_support::tiny_experiment;
using testing_support::Workplace;

namespace fs = std::filesystem;

class ShardedRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Workplace alone;
    const fs::path file = alone.write("tiny.json", kExperiment),
                   results = alone.folder() / "results";
    const Finished finished =
        alone.ablate({"run", file.string(), "--results", results.string(), "--progress", "none"});
    ASSERT_EQ(finished.exit_code, exit_ok) << finished.errors;
    expected = report_of(alone, results).at("arms");
  }

  /// Runs a part, as a program on another machine would: with a cache of its own.
  Finished run(const std::string& shard, const Interruption& interruption = {}) const {
    const Workplace where;
    return where.ablate(
        {"run", file.string(), "--results", results.string(), "--shard", shard, "--workers", "1",
         "--progress", "plain", "--checkpoint-seconds", "0.05", "--lease-seconds", "1"},
        interruption);
  }

  /// The same of several parts at once.
  std::vector<Finished> run_at_once(const std::vector<std::string>& shards) const {
    std::vector<Finished> finished(shards.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < shards.size(); ++i)
      threads.emplace_back([&, i] { finished[i] = run(shards[i]); });
    for (std::thread& thread : threads) thread.join();
    return finished;
  }

  /// Expects the results of an undisturbed run, with each trial begun once, and no lease left.
  void expect_undisturbed(std::size_t attempts = 1) const {
    EXPECT_EQ(report_of(place, results).at("arms"), expected);
    int trials = 0;
    for (const auto& [id, folder] : store::listed_trials(results)) {
      ++trials;
      const auto events = store::read_journal(folder / "journal.jsonl");
      EXPECT_LE(static_cast<std::size_t>(std::ranges::count_if(
                    events, [](const Json& event) { return event.at("event") == "attempt"; })),
                attempts);
      for (const auto& entry : fs::directory_iterator(folder))
        EXPECT_FALSE(entry.path().filename().string().starts_with("lease.")) << entry.path();
    }
    EXPECT_EQ(trials, 4);
  }

  static inline const std::string kExperiment = tiny_experiment(R"({
    "question": "Do parts make the whole?",
    "train": {"budget": {"steps": 40}}
  })");
  static inline Json expected;
  Workplace place;
  fs::path file = place.write("tiny.json", kExperiment);
  fs::path results = place.folder() / "results";
};

TEST_F(ShardedRun, EndsAsOneRunDoes) {
  for (const Finished& part : run_at_once({"1/3", "2/3", "3/3"}))
    EXPECT_EQ(part.exit_code, exit_ok) << part.errors;
  for (const char* name : {"1-of-3.done", "2-of-3.done", "3-of-3.done"})
    EXPECT_TRUE(fs::exists(results / "shards" / name)) << name;
  expect_undisturbed();
}

TEST_F(ShardedRun, TrainsNoTrialTwiceWhereAllAreGivenTheSamePart) {
  for (const Finished& part : run_at_once({"1/1", "1/1", "1/1", "1/1"}))
    EXPECT_THAT(part.exit_code, testing::AnyOf(exit_ok, exit_preempted)) << part.errors;
  EXPECT_EQ(run("1/1").exit_code, exit_ok);
  expect_undisturbed();
}

TEST_F(ShardedRun, GoesOnWhereItWasKilled) {
  for (const std::int64_t line : {2, 9})
    EXPECT_EQ(run("1/1", at_line(line, SIGKILL, results)).exit_code, 128 + SIGKILL);
  const Finished again = run("1/1");
  EXPECT_EQ(again.exit_code, exit_ok) << again.errors;
  expect_undisturbed(3);
}

/// The folder of a trial that nobody has begun, with a lease of another machine.
fs::path leased_elsewhere(const fs::path& results) {
  const Json plan = Json::parse(read_file(results / "plan.json"));
  for (const Json& trial : plan.at("trials")) {
    const fs::path folder = store::trial_folder(results, trial.at("id"));
    if (fs::exists(folder)) continue;
    fs::create_directories(folder);
    write_file(
        folder / "lease.1",
        R"({"pid": 1, "host": "node7", "boot": "b", "started": "1", "job": "17_3", "restart": 0,
                                       "word": "w", "seconds": 1, "beats": 1, "released": false})");
    return folder;
  }
  return {};
}

TEST_F(ShardedRun, TakesOverWhatAnotherMachineLeftWithoutASign) {
  ASSERT_EQ(run("1/2").exit_code, exit_ok);
  ASSERT_FALSE(leased_elsewhere(results).empty());
  const Finished taken = run("2/2");
  EXPECT_EQ(taken.exit_code, exit_ok) << taken.errors;
  expect_undisturbed();
}

TEST_F(ShardedRun, LeavesATrialToAMachineThatTrainsIt) {
  ASSERT_EQ(run("1/2").exit_code, exit_ok);
  const fs::path lease = leased_elsewhere(results) / "lease.1";
  std::atomic<bool> ended = false;
  std::thread alive([&] {
    for (int beats = 2; !ended; ++beats)
      write_file(lease, Json{{"pid", 1},
                             {"host", "node7"},
                             {"boot", "b"},
                             {"started", "1"},
                             {"job", "17_3"},
                             {"restart", 0},
                             {"word", "w"},
                             {"seconds", 1},
                             {"beats", beats},
                             {"released", false}}
                            .dump());
  });
  const Finished left = run("2/2");
  ended = true;
  alive.join();
  EXPECT_EQ(left.exit_code, exit_preempted) << left.errors;
  EXPECT_THAT(left.errors, HasSubstr("process 1 on host 'node7' (job 17_3) trains it"));
  EXPECT_FALSE(fs::exists(results / "shards/2-of-2.done"));
  EXPECT_EQ(run("2/2").exit_code, exit_ok) << "now that machine is silent";
  expect_undisturbed();
}

TEST_F(ShardedRun, IsNotMetByARunOfAllTrials) {
  ASSERT_EQ(run("1/2").exit_code, exit_ok);
  const store::FolderLock shard(results, nullptr, store::Sharing::with_shards);
  const Finished all =
      place.ablate({"run", file.string(), "--results", results.string(), "--progress", "none"});
  EXPECT_EQ(all.exit_code, exit_usage);
  EXPECT_THAT(all.errors, HasSubstr("a shard of a run"));
  EXPECT_EQ(run("2/2").exit_code, exit_ok);
}

TEST_F(ShardedRun, RefusesWhatNeedsAllResultsOnTheWay) {
  for (const auto& [flag, text] : {std::pair("--until-decided", "--shard and --until-decided"),
                                   {"--report", "--shard and --report"}}) {
    const Finished refused =
        place.ablate({"run", file.string(), "--results", results.string(), "--shard", "1/2", flag});
    EXPECT_EQ(refused.exit_code, exit_usage);
    EXPECT_THAT(refused.errors, HasSubstr(text));
  }
  const Finished dropped = place.ablate({"run", file.string(), "--results", results.string(),
                                         "--launcher", "slurm", "--dry-run", "--lanes", "4"});
  EXPECT_EQ(dropped.exit_code, exit_usage);
  EXPECT_THAT(dropped.errors, HasSubstr("--lanes excludes --launcher"));
  EXPECT_FALSE(fs::exists(results / "plan.json"));
}

TEST_F(ShardedRun, IsWhatTheCommandsOfAJobListDo) {
  const std::string plan =
      fmt::format("'{}' plan '{}' --results '{}' --shards 2 --jobs ",
                  (programs_folder() / "ablate").string(), file.string(), results.string());
  EXPECT_EQ(testing_support::run_shell("", fmt::format("sh -c \"{} sh | sh 2> /dev/null\"", plan)),
            0);
  expect_undisturbed();
  const Finished lines = place.ablate(
      {"plan", file.string(), "--results", results.string(), "--shards", "2", "--jobs", "jsonl"});
  std::istringstream text(lines.output);
  int count = 0;
  for (std::string line; std::getline(text, line); ++count)
    EXPECT_TRUE(fs::exists(Json::parse(line).at("done_file").get<std::string>())) << line;
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace ablate
