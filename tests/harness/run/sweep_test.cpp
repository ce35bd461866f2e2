// The sweep with workers that succeed, crash, hang, print nonsense and are stopped by signals.

#include "harness/run/sweep.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/posix/pipe.h"
#include "harness/run/ask_lanes.h"
#include "tests/harness/run/fake_sweep.h"

namespace ablate::run {
namespace {

using store::testing_support::journal_of;
using testing::HasSubstr;
using testing::Not;
using testing_support::fake_worker;
using testing_support::FakeSweep;
using testing_support::kGood;
using testing_support::SignalledSweep;

namespace fs = std::filesystem;

TEST_F(FakeSweep, RunsEveryTrialOnce) {
  const SweepResult result = run(kGood);
  EXPECT_EQ(result.completed, 4u);
  EXPECT_EQ(exit_code_of(result), exit_ok);
  EXPECT_THAT(calls(), testing::ElementsAre("t0 ", "t1 ", "t2 ", "t3 "));
  EXPECT_THAT(said.str(), HasSubstr("clm seed 4: completed, loss 2.5"));
}

TEST_F(FakeSweep, CutsABankIntoChunksInOrder) {
  settings.lanes = 3;
  EXPECT_EQ(run(kGood).completed, 4u);
  EXPECT_THAT(calls(), testing::ElementsAre("t0 t1 t2 ", "t3 "));
}

TEST_F(FakeSweep, GivesWorkersAtOneTimeACoreEach) {
  settings.cores = {4, 7};
  const std::string meets =  // each waits until the other has said where it is
      "; wait_until 'test $(ls $results/at | wc -l) -ge 2'; ";
  run("mkdir -p $results/at; echo \"$job\" | grep -o '\"core\":[0-9]*' > $results/at/$ids" + meets +
      kGood);
  std::vector<std::string> cores;
  for (const char* id : {"t0", "t1", "t2", "t3"}) cores.push_back(read_file(results / "at" / id));
  EXPECT_NE(cores[0], cores[1]);
  for (const std::string& core : cores)
    EXPECT_THAT(core, testing::AnyOf("\"core\":4\n", "\"core\":7\n"));
}

TEST_F(FakeSweep, TellsEachWorkerItsThreads) {
  settings.threads = 5;
  run("echo \"$job\" | grep -o '\"threads\":[0-9]*' >> $results/threads; " + std::string(kGood));
  EXPECT_EQ(read_file(results / "threads"),
            "\"threads\":5\n\"threads\":5\n\"threads\":5\n\"threads\":5\n");
}

/// Trains where it is told to train, and measures where it is told to measure.
constexpr const char* kInTwoParts = R"(
    case "$job" in
      *'"task":"train"'*) for id in $ids; do begin $id; progress $id 1; done;;
      *'"task":"measure"'*)
        echo "$job" | grep -o '"device":"cpu"' >> $results/measured
        for id in $ids; do begin $id; outcome $id completed ''; done;;
    esac)";

TEST_F(FakeSweep, WhatADeviceTrainsIsMeasuredOnTheCpu) {
  settings.devices = {"cuda:0"};
  settings.measurers = 3;
  settings.lanes = 4;
  const SweepResult result = run(kInTwoParts);
  EXPECT_EQ(result.completed, 4u);
  EXPECT_THAT(calls(), testing::ElementsAre("t0 t1 ", "t0 t1 t2 t3 ", "t2 t3 "));
  EXPECT_EQ(read_file(results / "measured"), "\"device\":\"cpu\"\n\"device\":\"cpu\"\n");
  EXPECT_THAT(said.str(), HasSubstr("clm seed 4: completed, loss 2.5"));
}

TEST_F(FakeSweep, TheNextBankTrainsWhileTheOneBeforeIsMeasured) {
  settings.devices = {"cuda:0"};
  settings.measurers = 1;
  settings.lanes = 2;
  // Whoever measures the first bank waits until the second one is trained.
  const SweepResult result = run(R"(
      case "$ids" in *t3*) touch $results/trained;; esac
      case "$job" in *'"task":"measure"'*) wait_until 'test -e $results/trained';; esac
      )" + std::string(kInTwoParts));
  EXPECT_EQ(result.completed, 4u);
}

TEST_F(FakeSweep, WhatCannotBeMeasuredOnTheCpuGoesBackToTheDevice) {
  settings.devices = {"cuda:0"};
  settings.measurers = 1;
  settings.lanes = 4;
  const SweepResult result = run(std::string(R"(
      case "$job" in
        *'"task":"measure"'*) exit 9;;
        *'"device":"cuda:0"'*'"task":"all"'*) begin $ids; outcome $ids completed '';;
      esac
      )") + kInTwoParts);
  EXPECT_EQ(result.completed, 4u);
  EXPECT_THAT(said.str(), HasSubstr("it is tried once more, alone"));
}

TEST_F(FakeSweep, WhatWasTrainedAndNotMeasuredIsMeasuredByTheNextRun) {
  settings.devices = {"cuda:0"};
  settings.measurers = 1;
  settings.lanes = 4;
  const SweepResult first = run(R"(
      case "$job" in *'"task":"measure"'*) begin t0; outcome t0 stopped ''; exit 75;; esac
      )" + std::string(kInTwoParts));
  EXPECT_EQ(first.unfinished, 4u);
  EXPECT_EQ(exit_code_of(first), exit_preempted);
  EXPECT_EQ(run(kInTwoParts).completed, 4u);
}

/// Leaves what an attempt leaves that was cut off after a checkpoint, in a bank.
void cut_off(const fs::path& results, const std::vector<std::string>& bank) {
  for (const std::string& id : bank) {
    store::Journal journal = journal_of(results, id);
    journal.write("attempt", {{"trial", {{"id", id}}}, {"provenance", {{"bank", bank}}}});
    journal.write("checkpoint",
                  {{"step", 5}, {"file", "checkpoint-5.safetensors"}, {"sha256", ""}});
  }
}

std::vector<std::vector<std::string>> ids(const Todo& todo) {
  std::vector<std::vector<std::string>> all;
  for (const Chunk& chunk : todo.chunks) {
    all.emplace_back();
    for (const plan::Trial& trial : chunk.trials) all.back().push_back(trial.id);
  }
  return all;
}

using Ids = std::vector<std::vector<std::string>>;

TEST_F(FakeSweep, TrialsThatWereCutOffTogetherGoOnTogether) {
  cut_off(results, {"t1", "t3"});
  for (const std::size_t lanes : {1u, 2u, 4u}) {
    settings.lanes = lanes;
    const Todo todo = what_is_left(plan, settings);
    EXPECT_THAT(ids(todo), testing::Contains(std::vector<std::string>{"t1", "t3"})) << lanes;
    EXPECT_EQ(todo.chunks.size(), lanes == 1 ? 3u : 2u);
  }
  // Chosen lanes do not cut them either.
  EXPECT_EQ(ids(cut(what_is_left(plan, settings),
                    [](const Chunk&) {
                      return Json{{"lanes", 1}};
                    })),
            (Ids{{"t1", "t3"}, {"t0"}, {"t2"}}));
}

TEST_F(FakeSweep, ATrialWithoutACheckpointIsCutAnew) {
  journal_of(results, "t1")
      .write("attempt", {{"trial", {{"id", "t1"}}}, {"provenance", {{"bank", {"t1", "t2"}}}}});
  settings.lanes = 4;
  EXPECT_EQ(ids(what_is_left(plan, settings)), (Ids{{"t0", "t1", "t2", "t3"}}));
}

TEST_F(FakeSweep, ABankThatLacksItsTrialIsNotResumed) {
  cut_off(results, {"t1", "t3"});
  store::Journal journal = journal_of(results, "t0");
  journal.write("attempt", {{"trial", {{"id", "t0"}}}, {"provenance", {{"bank", {"t1", 7}}}}});
  journal.write("checkpoint", {{"step", 5}, {"file", "checkpoint-5.safetensors"}, {"sha256", ""}});
  EXPECT_EQ(ids(what_is_left(plan, settings)), (Ids{{"t0"}, {"t1", "t3"}, {"t2"}}));
}

TEST_F(FakeSweep, ChunksAreCutByWhatWasChosenAndSaySo) {
  settings.lanes = 3;
  const Todo todo = cut(what_is_left(plan, settings), [](const Chunk& chunk) {
    EXPECT_EQ(chunk.trials.size(), 3u) << "one trial alone leaves no choice";
    return Json{{"lanes", 2}};
  });
  EXPECT_EQ(ids(todo), (Ids{{"t0", "t1"}, {"t2"}, {"t3"}}));
  EXPECT_EQ(todo.chunks[1].lane_choice, (Json{{"lanes", 2}}));
  EXPECT_TRUE(todo.chunks[2].lane_choice.is_null());
}

TEST_F(FakeSweep, AWorkerIsAskedHowManyLanes) {
  settings.worker = fake_worker(folder.path(), R"(
      case "$job" in *'"task":"calibrate"'*) echo noise;
        echo '{"event":"lanes","choice":{"lanes":2,"points":[{"lanes":2,"seconds":0.5,"bytes":0}],"stopped":""}}';; esac)");
  settings.lanes = 4;
  const Todo todo = what_is_left(plan, settings);
  EXPECT_EQ(ask_lanes(todo.chunks.at(0), plan.corpus, settings).lanes, 2u);
  settings.worker = fake_worker(folder.path(), "echo 'no room' >&2; exit 9");
  EXPECT_THAT([&] { ask_lanes(todo.chunks.at(0), plan.corpus, settings); },
              testing::ThrowsMessage<std::runtime_error>(
                  testing::AllOf(HasSubstr("exit status 9"), HasSubstr("no room"))));
}

TEST_F(FakeSweep, AWorkerThatAnswersNonsenseHasNotMeasuredLanes) {
  settings.lanes = 4;
  const Chunk chunk = what_is_left(plan, settings).chunks.at(0);
  const std::string nonsense = R"(
      echo '{"event":7}'; echo '{"event":"lanes"}'; echo '{"event":"lanes","choice":[]}'
      printf '{"event":"lanes","choice":'
      head -c 100000 /dev/zero | tr '\0' '['; head -c 100000 /dev/zero | tr '\0' ']'; echo '}'
      )";
  settings.worker = fake_worker(folder.path(), nonsense);
  EXPECT_THAT([&] { ask_lanes(chunk, plan.corpus, settings); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("measuring cpu failed")));
  settings.worker = fake_worker(folder.path(), nonsense + R"(
      echo '{"event":"lanes","choice":{"lanes":1,"points":[{"lanes":1,"seconds":1,"bytes":0}],"stopped":""}}')");
  EXPECT_EQ(ask_lanes(chunk, plan.corpus, settings).lanes, 1u);
}

TEST_F(FakeSweep, RunsNothingThatIsComplete) {
  run(kGood);
  fs::remove(results / "calls/log");
  EXPECT_EQ(run(kGood).completed, 4u);
  EXPECT_THAT(calls(), testing::IsEmpty());
}

TEST_F(FakeSweep, RunsATrialAgainThatLacksAMeasurement) {
  run(kGood);
  fs::remove(results / "calls/log");
  plan.trials[2].probes = Json{{{"id", "m-new"}, {"type", "held_out"}}};
  ASSERT_EQ(what_is_left(plan, settings).chunks.size(), 1u);
  EXPECT_EQ(what_is_left(plan, settings).chunks[0].trained, 1u) << "it need not be trained";
  run("for id in $ids; do begin $id; line $id 2 "
      "'\"event\":\"measurement\",\"id\":\"m-new\",\"metrics\":{}' "
      "'\"time\":\"2024-01-01T00:00:00.000Z\"'; outcome $id completed ''; done");
  EXPECT_THAT(calls(), testing::ElementsAre("t2 "));
  EXPECT_TRUE(what_is_left(plan, settings).chunks.empty());
}

TEST_F(FakeSweep, ATrialIsNotCompletedWithoutItsMeasurements) {
  plan.trials[2].probes = Json{{{"id", "m-2"}, {"type", "held_out"}}};
  const SweepResult result = run(kGood);
  EXPECT_EQ(result.completed, 3u);
  EXPECT_EQ(result.unfinished, 1u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_EQ(exit_code_of(result), exit_failure);
  EXPECT_THAT(said.str(), HasSubstr("clm seed 3 (trial t2): lacks measurements"));
  fs::remove(results / "calls/log");
  EXPECT_EQ(ids(what_is_left(plan, settings)), (Ids{{"t2"}})) << "nothing else is done again";
}

TEST_F(FakeSweep, ACrashCostsItsTrialAloneAndIsRetriedOnce) {
  const SweepResult result =
      run(std::string("case $ids in t1) echo 'the last words' >&2; kill -SEGV $$;; esac;") + kGood);
  EXPECT_EQ(result.completed, 3u);
  EXPECT_EQ(result.failed, 1u);
  EXPECT_EQ(exit_code_of(result), exit_some_failed);
  EXPECT_THAT(calls(), testing::ElementsAre("t0 ", "t1 ", "t1 ", "t2 ", "t3 "));
  EXPECT_EQ(state("t1").outcome, "failed");
  EXPECT_THAT(state("t1").message, HasSubstr("signal 11"));
  EXPECT_THAT(state("t1").message, HasSubstr("the last words"));
  EXPECT_THAT(said.str(), HasSubstr("it is tried once more, alone"));
}

// Whoever looks at the folder meanwhile sees no trial that runs.
TEST_F(FakeSweep, ACrashedTrialIsNotRunningWhileItWaits) {
  const SweepResult result = run(std::string(R"(
      case "$ids" in
        t1) if [ -e $results/trials/t1/t1/journal.jsonl ]
               then mkdir -p $results/waiting/t1; cp $results/trials/t1/t1/journal.jsonl $results/waiting/t1
               else begin t1; kill -SEGV $$
               fi;;
      esac
      )") + kGood);
  EXPECT_EQ(result.completed, 4u);
  const store::TrialState waiting = store::read_trial_state(results / "waiting/t1/journal.jsonl");
  EXPECT_EQ(waiting.outcome, "unfinished");
  EXPECT_EQ(waiting.attempts.back().outcome, "stopped");
  EXPECT_THAT(waiting.message, HasSubstr("signal 11"));
}

TEST_F(FakeSweep, ABankThatCrashesIsRetriedLaneByLane) {
  settings.lanes = 4;
  // The bank crashes when its first lane has an outcome; alone, t1 diverges and t2 crashes again.
  const SweepResult result = run(R"(
    case $ids in
      t1) begin t1; outcome t1 diverged 'loss is not finite';;
      t2) exit 9;;
      t3) begin t3; outcome t3 completed '';;
      *) for id in $ids; do begin $id; done; outcome t0 completed ''; kill -KILL $$;;
    esac)");
  EXPECT_THAT(calls(), testing::ElementsAre("t0 t1 t2 t3 ", "t1 ", "t2 ", "t3 "));
  EXPECT_EQ(state("t0").outcome, "completed");
  EXPECT_EQ(state("t1").outcome, "diverged");
  EXPECT_EQ(state("t2").outcome, "failed");
  EXPECT_THAT(state("t2").message, HasSubstr("exit status 9"));
  EXPECT_EQ(state("t3").outcome, "completed");
  EXPECT_EQ(exit_code_of(result), exit_some_failed);
}

TEST_F(FakeSweep, AWorkerThatSucceedsTheSecondTimeLeavesACompletedTrial) {
  const SweepResult result = run(
      std::string("[ -e \"$results/once-$ids\" ] || { touch \"$results/once-$ids\"; exit 9; };") +
      kGood);
  EXPECT_EQ(result.completed, 4u);
  EXPECT_EQ(calls().size(), 8u);
}

TEST_F(FakeSweep, AWorkerThatEndsWellWithoutAnOutcomeHasFailed) {
  EXPECT_EQ(run("exit 0").failed, 4u);
  EXPECT_THAT(state("t0").message, HasSubstr("ended without an outcome"));
  EXPECT_EQ(state("t0").attempts.size(), 1u);
}

TEST_F(FakeSweep, NonsenseFromAWorkerIsOfNoAccount) {
  const SweepResult result =
      run(std::string(
              "head -c 3000000 /dev/urandom; echo; echo '{\"event\":\"progress\"}'; echo '[[[1'; "
              "echo '{\"event\":7,\"trial\":[]}'; echo '\"progress\"'; ") +
          kGood);
  EXPECT_EQ(result.completed, 4u);
}

TEST_F(FakeSweep, LinesAreIgnoredThatAreNestedTooDeepOrOfOtherTypes) {
  mode = ProgressMode::json;  // prints what it hears
  const SweepResult result = run(std::string(R"(
      printf '{"event":"progress","trial":"t0","x":'
      head -c 100000 /dev/zero | tr '\0' '['; head -c 100000 /dev/zero | tr '\0' ']'; echo '}'
      echo '{"event":"progress","trial":5,"stage":[],"share":"x"}'
      for id in $ids; do
        echo '{"event":"progress","trial":"'$id'","stage":{},"share":"x","loss":[],"step":"y"}'
      done
      )") + kGood);
  EXPECT_EQ(result.completed, 4u);
}

TEST_F(FakeSweep, TheLogOfAWorkerStaysShort) {
  run(std::string(R"(
      log=$results/trials/$ids/$ids/worker.log
      yes 'a warning' | head -c 5000000 >&2
      wait_until 'test $(wc -c < $log) -le 2097152'
      echo 'the last words' >&2
      )") +
      kGood);
  EXPECT_THAT(read_file(results / "trials/t0/t0/worker.log"),
              testing::AllOf(HasSubstr("a warning\n"), testing::EndsWith("\nthe last words\n"),
                             testing::SizeIs(testing::Le(std::size_t{2} << 20))));
}

TEST_F(FakeSweep, ControlCharactersOfAWorkerDoNotReachTheTerminal) {
  run("printf '\\033[2Jgone\\007' >&2; exit 9");
  EXPECT_THAT(said.str(), HasSubstr("gone"));
  EXPECT_THAT(said.str(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(said.str(), Not(HasSubstr("\x07")));
}

TEST_F(FakeSweep, FailedTrialsAreRunAgainWhenAskedFor) {
  run("exit 9");
  fs::remove(results / "calls/log");
  EXPECT_EQ(run(kGood).failed, 4u);
  EXPECT_TRUE(calls().empty());
  settings.retry_failed = true;
  EXPECT_EQ(run(kGood).completed, 4u);
  EXPECT_EQ(state("t0").attempts.size(), 2u) << "the failure is kept next to the success";
}

TEST_F(FakeSweep, DivergedTrialsStayDiverged) {
  run("begin $ids; outcome $ids diverged 'loss is not finite'");
  settings.retry_failed = true;
  EXPECT_TRUE(what_is_left(plan, settings).chunks.empty()) << "they would diverge again";
}

TEST_F(FakeSweep, FailFastStopsTheRest) {
  settings.devices = {"cpu"};
  settings.fail_fast = true;
  const SweepResult result = run("begin $ids; outcome $ids failed 'on purpose'");
  EXPECT_EQ(result.failed, 1u);
  EXPECT_EQ(result.unfinished, 3u);
  EXPECT_EQ(exit_code_of(result), exit_some_failed);
}

TEST_F(FakeSweep, AWorkerThatWasToldToStopStopsTheSweep) {
  settings.devices = {"cpu"};
  const SweepResult result = run("begin $ids; outcome $ids stopped ''; exit 75");
  EXPECT_EQ(result.unfinished, 4u);
  EXPECT_EQ(calls().size(), 1u);
  EXPECT_EQ(exit_code_of(result), exit_preempted);
  EXPECT_EQ(run(kGood).completed, 4u) << "the same command goes on";
}

TEST_F(FakeSweep, DamageIsReportedAndTheSweepGoesOn) {
  const SweepResult result = run(
      std::string("case $ids in t1) echo 'x.safetensors: damaged' >&2; exit 6;; esac;") + kGood);
  EXPECT_EQ(result.completed, 3u);
  EXPECT_EQ(exit_code_of(result), exit_damaged);
  EXPECT_THAT(said.str(), HasSubstr("x.safetensors: damaged"));
}

TEST_F(FakeSweep, APlanWhoseJournalIsDamagedIsRefused) {
  run(kGood);
  store::testing_support::put_bytes(store::journal_file(results, "t1"), "{}\n{}\n");
  EXPECT_THROW(what_is_left(plan, settings), DamagedFile);
}

TEST_F(SignalledSweep, PassesSignalsOnAndWaitsForCheckpoints) {
  settings.devices = {"cpu"};
  for (const auto& [number, name, code] : {std::tuple{SIGTERM, "TERM", exit_preempted},
                                           {SIGUSR1, "USR1", exit_preempted},
                                           {SIGUSR2, "USR2", exit_preempted},
                                           {SIGINT, "INT", exit_interrupted},
                                           {SIGHUP, "TERM", exit_preempted}}) {
    const std::string worker = fmt::format(
        "trap 'outcome $ids stopped \"by {}\"; exit 75' {}; begin $ids; touch $results/ready-{}; "
        "while :; do sleep 0.01; done",
        name, name, number);
    EXPECT_EQ(run_with({number}, worker), code) << name;
    EXPECT_EQ(state("t0").message, fmt::format("by {}", name));
    EXPECT_EQ(state("t0").outcome, "unfinished");
  }
  EXPECT_EQ(run(kGood).completed, 4u);
}

TEST_F(SignalledSweep, ASecondInterruptKillsWorkersThatHang) {
  settings.devices = {"cpu"};
  const std::string worker = fmt::format(
      "trap 'touch $results/again' INT; begin $ids; touch $results/ready-2; while :; do sleep "
      "0.01; done");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGINT, SIG_DFL);
    ::_exit(exit_code_of(run(worker)));
  }
  wait_for("ready-2", child);
  ::kill(child, SIGINT);
  wait_for("again", child);
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), exit_interrupted);
  EXPECT_EQ(state("t0").outcome, "unfinished") << "killed on request is not failed";
}

TEST_F(SignalledSweep, WorkersDieWithARunThatIsKilled) {
  settings.devices = {"cpu"};
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(exit_code_of(run("touch $results/trials/ready; while :; do sleep 0.01; done")));
  wait_for("trials/ready", child);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // The worker holds the lock until it is gone, and it is waited for: no two write one journal.
  EXPECT_EQ(run(kGood).completed, 4u);
}

TEST(FolderLocks, NameTheirHolder) {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "results";
  EXPECT_FALSE(store::holder_of(results).has_value());
  const store::FolderLock lock(results);
  ASSERT_TRUE(store::holder_of(results).has_value());
  EXPECT_EQ(store::holder_of(results)->pid, ::getpid());
  EXPECT_THAT([&] { store::FolderLock{results}; },
              testing::ThrowsMessage<std::invalid_argument>(testing::AllOf(
                  HasSubstr(fmt::format("process {}", ::getpid())), HasSubstr("--wait"))));
}

TEST(FolderLocks, AreWaitedForWhenAskedFor) {
  const TemporaryFolder folder;
  Pipe held = open_pipe("held"), noticed = open_pipe("noticed");
  const pid_t child = ::fork();
  if (child == 0) {  // holds the folder until this process has noticed that
    noticed.writer.close();
    const store::FolderLock lock(folder.path());
    held.writer.close();
    pollfd told = {noticed.reader.get(), 0, 0};
    ::poll(&told, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count()));
    ::_exit(0);
  }
  held.writer.close();
  read_to_end(held.reader);
  std::int64_t waited_for = 0;
  const store::FolderLock lock(folder.path(), [&](const store::Holder& holder) {
    waited_for = holder.pid;
    noticed.writer.close();
  });
  EXPECT_EQ(waited_for, child);
  ::waitpid(child, nullptr, 0);
}

TEST(FolderLocks, LeaveFoldersOfOthersAlone) {
  const TemporaryFolder folder;
  store::testing_support::put_bytes(folder.path() / "thesis.tex", "...");
  EXPECT_THAT(
      [&] { store::FolderLock{folder.path()}; },
      testing::ThrowsMessage<std::invalid_argument>(HasSubstr("holds other files (thesis.tex)")));
  EXPECT_FALSE(fs::exists(folder.path() / "lock"));
}

}  // namespace
}  // namespace ablate::run
