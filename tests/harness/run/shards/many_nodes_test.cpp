// Many machines at once, each a process that trains nothing: it takes leases, sleeps, and writes journals by the code of
// runs and workers. Some die, some in the middle of a line, some stand still until others have taken their trials
// over, some are started twice, and no two clocks agree. No trial may be lost or completed twice.
//
// ABLATE_NODES sets their number: `make simulate` takes 1,000.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/rng.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/records.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/lease.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

constexpr int kTrialsOfANode = 4;
constexpr int kSteps = 4;
constexpr double kLeaseSeconds = 2;

/// What happens to a machine while it trains a trial that its number chooses.
enum class Fate { none, killed, killed_in_a_line, stopped };

struct Node {
  int number = 0;  // of the process
  int shard = 0;
  Fate fate = Fate::none;
  std::string job;  // of a scheduler; empty: none
  int restart = 0;
};

/// What a machine does: the life of a child process.
class NodeLife {
 public:
  NodeLife(fs::path results, Node node, std::vector<std::string> trials)
      : results_(std::move(results)),
        node_(std::move(node)),
        left_(std::move(trials)),
        rng_(static_cast<std::uint64_t>(node_.number)),
        clock_offset_(1e6 * (rng_.uniform() - .5)),
        doomed_trial_(left_[static_cast<std::size_t>(rng_.below(std::ssize(left_)))]),
        doomed_step_(rng_.below(kSteps)) {
    owner_ = store::this_process();
    owner_.host =
        fmt::format("node{}", node_.number);  // so that nobody can ask whether it is alive
    owner_.job = node_.job;
    owner_.restart = node_.restart;
  }

  /// Returns when every trial of its shard has an outcome, whoever gave it.
  void run() {
    while (!left_.empty()) {
      std::erase_if(left_, [&](const std::string& id) { return is_done(id) || train(id); });
      if (!left_.empty()) pass(20);
    }
  }

 private:
  static void pass(int milliseconds) { ::poll(nullptr, 0, milliseconds); }

  bool is_done(const std::string& id) const {
    return store::read_trial_state(store::journal_file(results_, id)).outcome == "completed";
  }

  /// Whether the trial has its outcome now.
  bool train(const std::string& id) {
    auto reply = store::take_lease(store::begin_trial_folder(results_, id), owner_, watch_,
                                   monotonic_seconds() + clock_offset_);
    if (!reply.lease) return false;
    if (is_being_appended(store::journal_file(results_, id))) {
      // Its owner stood still, and wakes up now that it has lost the trial: it must write nothing more.
      ::kill(static_cast<pid_t>(reply.holder.pid), SIGCONT);
      return false;
    }
    if (!is_done(id)) try {
        write_journal(id, *reply.lease);
      } catch (const MachineFault&) {
        return false;  // another has taken it over
      }
    reply.lease->end();
    return true;
  }

  void write_journal(const std::string& id, store::Lease& lease) {
    const fs::path file = store::journal_file(results_, id);
    store::Journal journal(file, lease.ticket());
    journal.write("attempt", {{"trial", {{"id", id}}}, {"provenance", {{"host", owner_.host}}}});
    for (int step = 1; step <= kSteps; ++step) {
      pass(static_cast<int>(rng_.below(20)));
      lease.beat();
      journal.write("curve", {{"step", step},
                              {"text_tokens", step * 64},
                              {"loss", 2.0 + 1.0 / step},
                              {"learning_rate", 0.003},
                              {"gradient_norm", 0.5},
                              {"spike", false}});
      if (id == doomed_trial_ && step == 1 + doomed_step_) meet_fate(file);
    }
    journal.write("measurement", {{"id", "m-" + id},
                                  {"probe", "held_out"},
                                  {"metrics", {{"held_out.loss", 2.0}}},
                                  {"details", Json::object()},
                                  {"samples", Json::array()}});
    journal.write("outcome", {{"outcome", "completed"}, {"message", ""}});
  }

  void meet_fate(const fs::path& file) {
    const Fate fate = std::exchange(node_.fate, Fate::none);
    if (fate == Fate::killed_in_a_line)
      std::ofstream(file, std::ios::app) << R"({"attempt":1,"event":"cur)";
    if (fate == Fate::stopped) ::raise(SIGSTOP);
    if (fate == Fate::killed || fate == Fate::killed_in_a_line) ::raise(SIGKILL);
  }

  fs::path results_;
  Node node_;
  std::vector<std::string> left_;  // trials without an outcome
  Rng rng_;
  double clock_offset_;  // seconds
  std::string doomed_trial_;
  std::int64_t doomed_step_;
  store::LeaseOwner owner_;
  store::LeaseWatch watch_{kLeaseSeconds};
};

class ManyNodes : public testing::Test {
 protected:
  ManyNodes() { store::freeze_plan(results, plan, {{"experiment.json", "{}"}}); }

  static int nodes_wanted() {
    const char* const wanted = std::getenv("ABLATE_NODES");
    return wanted == nullptr ? 24 : std::atoi(wanted);
  }

  std::vector<std::string> trials_of(int shard) const {
    std::vector<std::string> ids;
    for (int i = 0; i < kTrialsOfANode; ++i)
      ids.push_back(plan.at("trials").at(static_cast<std::size_t>(i * nodes + shard)).at("id"));
    return ids;
  }

  void start(Node node) {
    node.number = ++started;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int status = 0;
      try {
        NodeLife(results, node, trials_of(node.shard)).run();
      } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        status = 1;
      }
      ::_exit(status);
    }
    alive[child] = node;
  }

  /// Runs until the last process has ended. Whoever dies is started again, by the same job or by another; whoever stands
  /// still is continued by whoever takes its trial over.
  void run_all() {
    while (!alive.empty()) {
      int status = 0;
      const pid_t child = ::waitpid(-1, &status, WUNTRACED);
      ASSERT_GT(child, 0);
      Node again = alive.at(child);
      again.fate = Fate::none;
      if (WIFSTOPPED(status)) {
        ++stops;
        again.job.clear();
        start(again);
        continue;
      }
      const Node ended = alive.at(child);
      alive.erase(child);
      if (WIFEXITED(status)) {
        EXPECT_EQ(WEXITSTATUS(status), 0) << "node " << ended.number;
        continue;
      }
      ++deaths;
      ++again.restart;
      start(again);
    }
  }

  const int nodes = nodes_wanted();
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "results";
  const Json plan = store::testing_support::fake_plan({"a", "b", "c", "d"}, nodes);
  std::map<pid_t, Node> alive;
  int started = 0, deaths = 0, stops = 0;
};

TEST_F(ManyNodes, LoseNoTrialAndCompleteNoneTwice) {
  ASSERT_GE(nodes, 8) << "ABLATE_NODES: with fewer, not every fate is met";
  int doubled = 0;
  for (int shard = 0; shard < nodes; ++shard) {
    const Fate fate = shard % 8 == 1   ? Fate::killed
                      : shard % 8 == 3 ? Fate::killed_in_a_line
                      : shard % 8 == 5 ? Fate::stopped
                                       : Fate::none;
    const Node node{
        .shard = shard, .fate = fate, .job = shard % 16 < 8 ? fmt::format("job{}", shard) : ""};
    start(node);
    if (shard % 8 != 7) continue;
    start({.shard = shard});
    ++doubled;
  }
  run_all();
  EXPECT_EQ(deaths, (nodes + 6) / 8 + (nodes + 4) / 8);
  EXPECT_EQ(stops, (nodes + 2) / 8);

  std::size_t attempts = 0;
  for (const Json& trial : plan.at("trials")) {
    const fs::path file = store::journal_file(results, trial.at("id"));
    const auto events = store::read_journal(file);  // verifies that no two wrote at once
    const auto ended = std::ranges::count_if(
        events, [](const Json& event) { return event.at("event") == "outcome"; });
    EXPECT_EQ(ended, 1) << file;
    const store::TrialState state = store::trial_state(events, file);
    EXPECT_EQ(state.curve.points().size(), static_cast<std::size_t>(kSteps)) << file;
    attempts += state.attempts.size();
    for (const auto& entry : fs::directory_iterator(file.parent_path()))
      EXPECT_EQ(entry.path().filename(), "journal.jsonl") << "no lease is left";
  }
  const store::Records records = store::load_records(results);
  EXPECT_EQ(records.trials.size(), plan.at("trials").size());
  for (const store::TrialRecord& trial : records.trials) EXPECT_EQ(trial.outcome, "completed");
  std::cout << fmt::format(
      "{} nodes ({} started twice), {} trials: {} processes, {} died, {} stood still, {} "
      "attempts\n",
      nodes, doubled, records.trials.size(), started, deaths, stops, attempts);
}

}  // namespace
}  // namespace ablate::run
