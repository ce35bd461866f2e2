// What is said of jobs in Slurm's queue, by a squeue that says what it is told to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <sstream>

#include "harness/base/files.h"
#include "harness/plan/file/sections.h"
#include "harness/run/slurm/launch.h"
#include "tests/temporary_folder.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;

class SlurmQueue : public testing::Test {
 protected:
  SlurmQueue() {
    fs::create_directories(results / "slurm");
    fs::create_directories(results / "shards");
    fs::create_directories(programs);
    write_file(results / "slurm/launches.jsonl",
               R"({"job":"17","offset":0,"shards":6,"elements":[0,1,2,3,4]})"
               "\n"
               R"({"job":"18","offset":5,"shards":6,"elements":[0]})"
               "\n");
    write_file(results / "shards/4-of-6.done", "{}");
    ::setenv("PATH", (programs.string() + ":" + path).c_str(), 1);
  }
  ~SlurmQueue() override { ::setenv("PATH", path.c_str(), 1); }

  void squeue(const std::string& script) const {
    write_file(programs / "squeue", "#!/bin/sh\n" + script + "\n");
    fs::permissions(programs / "squeue", fs::perms::owner_all);
  }

  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r", programs = folder.path() / "bin";
  const std::string path = ::getenv("PATH");
};

TEST_F(SlurmQueue, TellsWhatRunsWaitsAndHasNoJob) {
  squeue("printf '17_0|R\\n17_1|CG\\n17_2|PD\\n18_0|PD\\n99_3|R\\n'");
  const auto state = slurm_state(results);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->running, 2u);
  EXPECT_EQ(state->waiting, 2u);
  EXPECT_THAT(state->lost, ElementsAre(5)) << "shard 4 is done";
  EXPECT_EQ(state->text(),
            "Slurm: 2 of 6 shards run, 2 wait; no job is left of 1 (5), which the same `ablate run "
            "--launcher slurm` submits again.");
  EXPECT_EQ(Json(*state), Json::parse(R"({"answers": true, "shards": 6, "running": 2, "waiting": 2,
                                          "without_job": [5]})"));
}

TEST_F(SlurmQueue, ThatDoesNotAnswerIsNoJobThatIsLost) {
  for (const char* const script : {"exit 127",  // as where there is none
                                   "echo 'Unable to contact slurm controller' >&2; exit 1"}) {
    squeue(script);
    const auto state = slurm_state(results);
    ASSERT_TRUE(state);
    EXPECT_FALSE(state->answers);
    EXPECT_EQ(state->text(), "Slurm: does not answer here.");
    EXPECT_EQ(Json(*state), Json::parse(R"({"answers": false, "shards": 6})"));
  }
}

TEST_F(SlurmQueue, OfAFollowUpCountsAShardOnce) {
  write_file(results / "slurm/launches.jsonl",
             R"({"job":"17","offset":0,"shards":2,"elements":[0,1]})"
             "\n"
             R"({"job":"18","offset":0,"shards":2,"elements":[0,1]})"
             "\n");
  squeue("printf '17_0|R\\n18_0|PD\\n18_1|PD\\n'");
  EXPECT_EQ(slurm_state(results)->text(), "Slurm: 1 of 2 shards run, 1 wait.");
  write_file(results / "shards/2-of-2.done", "{}");
  EXPECT_EQ(slurm_state(results)->text(), "Slurm: 1 of 2 shards run, 0 wait.");
}

/// A plan of two trials, and the jobs of its two shards.
struct TwoShards {
  TwoShards() {
    for (const char* id : {"t0", "t1"}) {
      plan.trials.emplace_back();
      plan.trials.back().id = id;
      plan.banks.push_back({id});
    }
    for (std::size_t index = 1; index <= 2; ++index)
      jobs.push_back({.shard = {index, 2},
                      .argv = {"/bin/ablate", "run", "x.json", "--shard", "x"},
                      .folder = "/here",
                      .memory = 3e8});
  }

  plan::Plan plan;
  std::vector<ShardJob> jobs;
};

TEST_F(SlurmQueue, GetsFollowUpsThatWaitForAnArrayToFail) {
  fs::remove(results / "slurm/launches.jsonl");
  squeue("");
  write_file(programs / "sbatch", "#!/bin/sh\necho \"$@\" >> " + (folder.path() / "said").string() +
                                      "\nwc -l < " + (folder.path() / "said").string() + "\n");
  fs::permissions(programs / "sbatch", fs::perms::owner_all);
  std::vector<Refusal> refusals;
  const Json resolved =
      resolve(plan::launcher_params(), {{"slurm", {{"follow_ups", 2}}}}, refusals);
  SweepSettings settings;
  settings.results = results;
  const TwoShards two;
  std::ostringstream out;
  launch_slurm(two.plan, two.jobs, {"quick", results, resolved.at("slurm")}, settings, false, out);
  const std::string array = (results / "slurm/array-0.sh").string();
  EXPECT_EQ(read_file(folder.path() / "said"),
            "--parsable " + array +
                "\n--parsable --dependency=afternotok:1 --kill-on-invalid-dep=yes " + array +
                "\n--parsable --dependency=afternotok:1:2 --kill-on-invalid-dep=yes " + array +
                "\n--parsable --dependency=afterany:1:2:3 " +
                (results / "slurm/report.sh").string() + "\n");
  EXPECT_THAT(out.str(), testing::HasSubstr("job 3 runs them again if any does not end well"));
  EXPECT_EQ(slurm_state(results)->lost.size(), 2u) << "squeue knows none of them";
}

TEST_F(SlurmQueue, IsNotAskedWhereNothingWasSubmitted) {
  squeue("exit 1");
  fs::remove(results / "slurm/launches.jsonl");
  EXPECT_FALSE(slurm_state(results));
}

}  // namespace
}  // namespace ablate::run
