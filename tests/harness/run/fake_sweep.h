// A sweep of four trials with fake workers.

#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "harness/run/sweep.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/lock.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "tests/harness/run/fake_worker.h"
#include "tests/wait_until.h"

namespace ablate::run::testing_support {

namespace fs = std::filesystem;

/// A worker that completes its trials.
constexpr const char* kGood =
    "for id in $ids; do begin $id; progress $id 1; outcome $id completed ''; done";

/// Trials "t0" to "t3" in one bank.
inline plan::Plan four_trials() {
  plan::Plan plan;
  plan.name = "fake";
  plan.banks.emplace_back();
  for (int i = 0; i < 4; ++i) {
    plan::Trial trial;
    trial.id = fmt::format("t{}", i);
    trial.arm = "clm";
    trial.seed = i + 1;
    trial.config = Json{{"model", Json::object()},
                        {"objective", {{"type", "causal_lm"}}},
                        {"vocabulary", 16},
                        {"train",
                         {{"budget", {{"steps", 10}}},
                          {"batch", 4},
                          {"dropout", 0},
                          {"kernels", "fused"},
                          {"packing", "joined"},
                          {"precision", "float32"}}}};
    trial.probes = Json::array();
    plan.trials.push_back(trial);
    plan.banks[0].push_back(trial.id);
  }
  return plan;
}

class FakeSweep : public testing::Test {
 protected:
  FakeSweep() {
    fs::create_directories(results / "trials");
    settings.results = results;
    settings.devices = {"cpu", "cpu"};
  }

  /// A run with workers that do this; `first`: their first event.
  SweepResult run(const std::string& worker_body, const std::string& first = statement(Json())) {
    settings.worker = fake_worker(folder.path(), worker_body, first);
    return run_as_set();
  }

  /// A run with the worker of the settings.
  SweepResult run_as_set() {
    const store::FolderLock lock(results);
    Progress progress(mode, said, monotonic_seconds, [] { return std::size_t{80}; });
    return run_sweep(plan, what_is_left(plan, settings), settings, lock, progress);
  }

  store::TrialState state(const std::string& id) const {
    return store::read_trial_state(store::journal_file(results, id));
  }

  /// The trials of each worker that was started, sorted.
  std::vector<std::string> calls() const {
    std::vector<std::string> all;
    std::istringstream log(fs::exists(results / "calls/log") ? read_file(results / "calls/log")
                                                             : "");
    for (std::string line; std::getline(log, line);) all.push_back(line);
    std::sort(all.begin(), all.end());
    return all;
  }

  TemporaryFolder folder;
  fs::path results = folder.path() / "results";
  plan::Plan plan = four_trials();
  SweepSettings settings;
  ProgressMode mode = ProgressMode::plain;
  std::ostringstream said;
};

/// Runs the sweep in a process of its own, to which signals can be sent.
class SignalledSweep : public FakeSweep {
 protected:
  /// The exit code of a sweep that gets `signals` one after the other, each when the workers are
  /// ready.
  int run_with(const std::vector<int>& signals, const std::string& worker_body) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGINT, SIG_DFL);  // whoever runs the tests may ignore it
      const int code = exit_code_of(run(worker_body));
      store::testing_support::put_bytes(results / "said", said.str());
      ::_exit(code);
    }
    for (const int number : signals) {
      wait_for(fmt::format("ready-{}", number), child);
      ::kill(child, number);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Until the worker of t0 has said that it stands where the next signal is due. Fails where the
  /// process of the sweep ends before.
  void wait_for(const std::string& name, pid_t sweep) {
    siginfo_t ended{};
    wait_until("a worker has made " + name, [&] {
      ::waitid(P_PID, static_cast<id_t>(sweep), &ended, WEXITED | WNOHANG | WNOWAIT);
      return ended.si_pid == sweep || fs::exists(results / name);
    });
    EXPECT_TRUE(fs::exists(results / name)) << "the sweep ended before";
  }
};

}  // namespace ablate::run::testing_support
