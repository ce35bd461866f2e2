// The ranks of a worker: processes of the same program with the same job, on this machine or started by srun on those
// that Slurm has given it.

#include "experiments/worker/team.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "experiments/catalog.h"
#include "experiments/worker/process/stop.h"
#include "harness/base/exit_code.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/pipe.h"
#include "harness/base/posix/program.h"
#include "harness/base/posix/replace_file.h"
#include "harness/base/time/clock.h"
#include "harness/base/time/stopwatch.h"
#include "harness/store/journal/trial_folders.h"

namespace ablate::worker {
namespace {

namespace fs = std::filesystem;

constexpr double kEndSeconds = 2;                       // that a process takes to end
constexpr auto kPause = std::chrono::milliseconds(10);  // between two looks whether it has
constexpr double kPatienceSeconds = 600;  // for a rank: longer than writing a checkpoint takes
const std::string kMeetings = fmt::format("ranks{}", kTemporaryName);  // how meetings' files begin

/// Waits until `over()`, for kEndSeconds at most.
template <class Over>
void wait_for(const Over& over) {
  double waited = 0;
  for (Stopwatch watch; !over() && waited < kEndSeconds; waited += watch.lap())
    std::this_thread::sleep_for(kPause);
}

/// The number of processes that train together.
std::int64_t size_of(const run::Job& job) { return 1 + std::ssize(job.followers); }

/// A file for the ranks of one attempt to meet by, in the folder of the first trial, which no other worker
/// writes. It has a temporary name: what is left of it is removed as other leftovers are. Those of attempts that were killed are removed here, too: no rank of theirs may come to this meeting.
fs::path new_meeting(const run::Job& job) {
  const fs::path folder = store::trial_folder(job.results, job.trials[0].id);
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().native().starts_with(kMeetings)) old.push_back(entry.path());
  for (const fs::path& file : old) fs::remove(file);
  return folder / fmt::format("{}{}-{}", kMeetings, ::getpid(),
                              milliseconds_since_1970(utc_now()).value_or(0));
}

/// The number in an environment variable; 0 where it has none.
std::int64_t number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoll(text, nullptr, 10);
}

/// Whether Slurm has given this job a task for each rank, on several nodes: then srun starts the ranks.
bool spans_nodes(const run::Job& job) {
  return number_in("SLURM_JOB_NUM_NODES") > 1 && number_in("SLURM_NTASKS") == size_of(job);
}

/// Runs a command with the job on its standard input. What it prints goes to the log.
std::unique_ptr<ChildProcess> start_follower(const run::Job& job, const std::string& name,
                                             std::vector<std::string> command) {
  const Descriptor input = memory_file(canonical(job) + "\n", "the job of a rank");
  const Descriptor log(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
  std::vector<const char*> arguments;
  for (const std::string& word : command) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  return std::make_unique<ChildProcess>(name,
                                        [&] { return execute(arguments.data(), input, log, log); });
}

}  // namespace

train::Ranks* Team::assemble(const std::vector<TrialRun*>& runs, std::int64_t from) {
  if (job_.followers.empty()) return nullptr;
  if (!ranks_) start();
  Json ids = Json::array();
  for (const TrialRun* run : runs) ids.push_back(run->trial.id);
  ranks_->shared_text(Json{{"trials", std::move(ids)}, {"from", from}}.dump());
  return ranks_.get();
}

void Team::start() {
  run::Job job = job_;
  job.meeting = new_meeting(job_);
  const std::string worker = (program_folder() / "ablate-worker").string();
  const bool by_slurm = spans_nodes(job);
  if (by_slurm) {
    if (job.device != "cpu")
      reject("--ranks on several nodes is for the CPU yet; use the GPUs of one node");
    // srun starts a task for each rank; task 0 ends at once, because this worker is rank 0.
    followers_.push_back(
        {"srun, which started the other ranks,",
         start_follower(
             job, "srun",
             {"/usr/bin/env", "srun", "--overlap", fmt::format("--ntasks={}", size_of(job)),
              "--kill-on-bad-exit=1", "--wait=0", "--unbuffered", worker, "--follow", "slurm"})});
  } else {
    for (std::int64_t rank = 1; rank < size_of(job); ++rank) {
      const std::string name = fmt::format("rank {}", rank);
      followers_.push_back(
          {name, start_follower(job, name, {worker, "--follow", std::to_string(rank)})});
    }
  }
  const auto waiting = [this] {
    if (stop_signal()) throw Stopped();
    if (const std::string lost = ended(); !lost.empty()) throw train::RankLost(lost);
  };
  ranks_ = std::make_unique<train::Ranks>(0, size_of(job),
                                          train::Meeting{.file = job.meeting,
                                                         .on_one_machine = !by_slurm,
                                                         .patience_seconds = kPatienceSeconds,
                                                         .waiting = waiting});
}

void Team::dismiss() {
  const auto are_over = [this] {
    return std::ranges::all_of(followers_, [](const auto& own) { return own.process->ended(); });
  };
  try {
    if (ranks_) ranks_->shared_text("");
    wait_for(are_over);  // one that does not end is killed: all is trained
  } catch (const train::RankLost&) {
  }
  disband();
}

void Team::disband() {
  followers_.clear();  // first: where they live, their connections would be waited for
  ranks_.reset();
}

std::string Team::losses() {
  // A process's connections are closed before it can be waited for, and srun ends later still.
  wait_for([this] { return !ended().empty(); });
  return ended();
}

std::string Team::ended() {
  std::string text;
  for (const Follower& follower : followers_)
    if (follower.process->ended())
      text += fmt::format("{}{} ended by {}", text.empty() ? "" : ", ", follower.name,
                          status_text(follower.process->status()));
  return text;
}

std::int64_t rank_of(const std::string& text) {
  const std::int64_t rank = text == "slurm" ? number_in("SLURM_PROCID") : std::atoll(text.c_str());
  if (text != "slurm" && std::to_string(rank) != text)
    reject("--follow {}: is not a rank; ranks are started by a worker, not by hand", text);
  return rank;
}

run::Job job_of_rank(run::Job job, std::int64_t rank) {
  if (rank < 1 || rank >= size_of(job))
    reject("--follow {}: the job has followers 1 to {}", rank, size_of(job) - 1);
  const run::RankPlace& place = job.followers[static_cast<std::size_t>(rank - 1)];
  job.device = place.device;
  job.core = spans_nodes(job) ? -1 : place.core;  // cores are of the first rank's machine
  return job;
}

int follow(const run::Job& job, std::int64_t rank, const std::string& device) {
  train::Ranks ranks(rank, size_of(job),
                     {.file = job.meeting,
                      .on_one_machine = !spans_nodes(job),
                      .patience_seconds = kPatienceSeconds});
  const Computing computing = computing_of(job, device);
  const Corpora corpora(job.corpus);
  for (std::string order; !(order = ranks.shared_text("")).empty();) {
    const Json told = parse_json(order);
    std::vector<plan::ResolvedTrial> resolved;
    resolved.reserve(told.at("trials").size());
    std::vector<train::TrainingLane> lanes;
    for (const std::string id : told.at("trials")) {
      const auto trial = std::ranges::find(job.trials, id, &plan::Trial::id);
      if (trial == job.trials.end()) reject("the job has no trial {}", id);
      resolved.push_back(plan::resolve(*trial, catalog()));
      lanes.push_back({.trial = &*trial, .phases = phases_of(resolved.back(), corpora)});
    }
    const auto network = network_of(resolved.at(0), std::ssize(lanes), computing);
    train::TrainingSettings settings;
    settings.device = device;
    settings.threads = job.threads;
    settings.ranks = &ranks;
    train::train(*network, std::move(lanes), told.at("from"), settings);
  }
  return exit_ok;
}

}  // namespace ablate::worker
