// Faults of the machine and the installation end a sweep, and no trial has failed for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/exit_code.h"
#include "harness/run/sweep.h"
#include "tests/harness/run/fake_sweep.h"

namespace ablate::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::FakeSweep;
using testing_support::kGood;
using testing_support::SignalledSweep;
using testing_support::statement;

namespace fs = std::filesystem;

constexpr const char* kSameCommand = "then run the same command again";
constexpr const char* kForEver = "while :; do sleep 0.01; done";

/// A sweep that a fault stops.
class FaultySweep : public FakeSweep {
 protected:
  FaultySweep() { settings.devices = {"cpu"}; }

  /// Expects that the fault stopped the sweep after one worker, and that the same command goes on.
  void expect_stopped(const SweepResult& result, int exit_code) {
    EXPECT_EQ(exit_code_of(result), exit_code);
    EXPECT_TRUE(result.fault.has_value());
    EXPECT_EQ(result.failed, 0u);
    EXPECT_EQ(result.unfinished, 4u);
    EXPECT_LE(calls().size(), 1u);
    EXPECT_THAT(said.str(), HasSubstr(kSameCommand));
    settings.versions = Json();
    EXPECT_EQ(run(kGood).completed, 4u);
  }
};

TEST_F(FaultySweep, AFullDiskIsNoOutcome) {
  const SweepResult result = run(
      "begin $ids; fault '/r/x.safetensors: could not be written: No space left on device' true");
  EXPECT_THAT(said.str(),
              AllOf(HasSubstr("/r/x.safetensors: could not be written: No space left on device\n"),
                    HasSubstr("free space on the disk")));
  expect_stopped(result, exit_damaged);
}

TEST_F(FaultySweep, AnyOtherFaultOfTheMachineIsNoOutcome) {
  const SweepResult result =
      run("begin $ids; fault '/r/journal.jsonl: could not be synced: Input/output error' false");
  EXPECT_THAT(said.str(), HasSubstr("/r/journal.jsonl: could not be synced: Input/output error"));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatCannotBeExecutedStopsTheSweep) {
  settings.worker = "/bin/nothing-of-that-name";
  const SweepResult result = run_as_set();
  EXPECT_THAT(said.str(), AllOf(HasSubstr("clm seed 1 (trial t0): the worker ended by exit status "
                                          "127; the end of its log:\nNo such file or directory"),
                                HasSubstr("no trial has failed because of this")));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatRefusesItsJobStopsTheSweep) {
  const SweepResult result = run("echo 'trial t0: the version of train' >&2; exit 2");
  EXPECT_THAT(said.str(),
              HasSubstr("exit status 2; the end of its log:\ntrial t0: the version of"));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatFailsBeforeAnAttemptStopsTheSweep) {
  const SweepResult result = run("echo 'the corpus could not be read' >&2; exit 1");
  EXPECT_THAT(said.str(), HasSubstr("the corpus could not be read"));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatFailsInAnAttemptHasCrashed) {
  EXPECT_EQ(run("begin $ids; exit 1").failed, 4u);
  EXPECT_EQ(calls().size(), 8u);
}

TEST_F(FaultySweep, AWorkerOfOtherVersionsIsKilled) {
  settings.versions = {{"objective", {{"clm", 1}, {"masked_lm", 3}}}};
  const SweepResult result =
      run(kForEver, statement({{"objective", {{"clm", 1}, {"masked_lm", 2}}}}));
  EXPECT_THAT(said.str(),
              HasSubstr("worker.sh: the version of objective masked_lm: planned 3, this "
                        "worker has 2; build both programs from the same source\n"));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatStatesNoVersionsIsKilled) {
  const std::string progress = R"({"event":"progress","trial":"t0","stage":"train","share":0.1})";
  const SweepResult result = run(kForEver, progress);
  EXPECT_THAT(said.str(), HasSubstr("worker.sh: it does not state its versions"));
  expect_stopped(result, exit_failure);
}

TEST_F(FaultySweep, AWorkerThatSaysNothingAtAllHasDoneNothing) {
  expect_stopped(run("exit 0", "no event"), exit_failure);
}

TEST_F(FakeSweep, AFaultStopsTheOtherWorkersWithACheckpoint) {
  const SweepResult result = run(R"(
    case $ids in
      t0) trap 'outcome t0 stopped ""; exit 75' TERM; begin t0; touch $results/ready
          while :; do sleep 0.01; done;;
      *) wait_until 'test -e $results/ready'; begin $ids; fault 'broken' false;;
    esac)");
  EXPECT_EQ(exit_code_of(result), exit_failure);
  EXPECT_EQ(calls().size(), 2u);
  ASSERT_EQ(state("t0").attempts.size(), 1u);
  EXPECT_EQ(state("t0").attempts[0].outcome, "stopped");
}

TEST_F(FaultySweep, AFolderThatWasMovedIsNotBegunAnew) {
  const fs::path elsewhere = folder / "elsewhere";
  const SweepResult result = run("begin $ids; mv $results " + elsewhere.string() + "; exit 9");
  EXPECT_EQ(exit_code_of(result), exit_failure);
  EXPECT_THAT(said.str(), HasSubstr(results.string() + ": was moved, deleted or replaced"));
  EXPECT_FALSE(fs::exists(results));
  fs::rename(elsewhere, results);
  EXPECT_EQ(state("t0").outcome, "unfinished") << "nothing was recorded elsewhere either";
  EXPECT_EQ(run(kGood).completed, 4u);
}

TEST_F(FaultySweep, AFolderThatWasDeletedIsNotBegunAnew) {
  for (const std::string& deleted : {std::string("$results"), std::string("$results/trials")}) {
    fs::create_directories(results / "trials");
    EXPECT_EQ(exit_code_of(run("begin $ids; rm -rf " + deleted + "; exit 9")), exit_failure);
    EXPECT_FALSE(fs::exists(results / "trials")) << deleted;
  }
}

TEST_F(FaultySweep, ATrialWithoutAFolderIsNoOutcome) {
  store::testing_support::put_bytes(results / "trials/t1", "no folder can be here");
  const SweepResult result = run(kGood);
  EXPECT_EQ(exit_code_of(result), exit_failure);
  EXPECT_EQ(result.completed, 1u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_THAT(said.str(), HasSubstr("trials/t1"));
  fs::remove(results / "trials/t1");
  EXPECT_EQ(run(kGood).completed, 4u);
}

TEST_F(FaultySweep, AnOutcomeThatCannotBeRecordedStopsTheSweep) {
  const SweepResult result = run(
      std::string(
          "case $ids in t1) ln -s /dev/full $results/trials/t1/t1/journal.jsonl; exit 9;; esac;") +
      kGood);
  EXPECT_EQ(exit_code_of(result), exit_failure);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_THAT(said.str(), HasSubstr("clm seed 2 (trial t1): the outcome could not be recorded"));
}

/// Makes a file as soon as it has been told some words.
class Listener : public std::stringbuf {
 public:
  Listener(std::string words, fs::path file) : words_(std::move(words)), file_(std::move(file)) {}

 private:
  int sync() override {
    if (str().find(words_) != std::string::npos) store::testing_support::put_bytes(file_, "");
    return 0;
  }

  std::string words_;
  fs::path file_;
};

TEST_F(FaultySweep, AWorkerThatSaysNothingIsNoted) {
  plan.trials.resize(1);
  plan.banks[0].resize(1);
  settings.silence_seconds = 0.01;
  settings.worker = testing_support::fake_worker(
      folder.path(),
      "begin $ids; progress $ids 0.5; wait_until 'test -e $results/noted'; "
      "outcome $ids completed ''");
  Listener listener("(clm seed 1, trial t0) has said nothing for", results / "noted");
  std::ostream out(&listener);
  const store::FolderLock lock(results);
  Progress progress(ProgressMode::plain, out, monotonic_seconds, [] { return std::size_t{80}; });
  const SweepResult result =
      run_sweep(plan, what_is_left(plan, settings), settings, lock, progress);
  EXPECT_EQ(result.completed, 1u) << "it is waited for";
  EXPECT_THAT(listener.str(), HasSubstr("if it hangs, `kill -9 "));
}

TEST_F(SignalledSweep, AWorkerThatDoesNotStopIsKilledAfterItsGracePeriod) {
  settings.devices = {"cpu"};
  settings.grace_seconds = 0.01;
  EXPECT_EQ(run_with({SIGTERM},
                     std::string("trap '' TERM; begin $ids; touch $results/ready-15; ") + kForEver),
            exit_preempted);
  EXPECT_THAT(read_file(results / "said"),
              HasSubstr("(clm seed 1, trial t0) has not stopped within 0 s and is killed"));
  EXPECT_EQ(state("t0").outcome, "unfinished");
  EXPECT_EQ(run(kGood).completed, 4u);
}

}  // namespace
}  // namespace ablate::run
