// The ranks of a worker: processes of the same program with the same job.

#include "experiments/worker/team.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "experiments/catalog.h"
#include "harness/base/exit_code.h"
#include "harness/base/json/parse.h"
#include "harness/base/posix/pipe.h"
#include "harness/base/time/clock.h"
#include "harness/store/journal/trial_folders.h"

namespace ablate::worker {
namespace {

namespace fs = std::filesystem;

constexpr double kPatienceSeconds = 600;  // for a rank: longer than writing a checkpoint takes
constexpr std::string_view kMeetings = "ranks.";  // that files of meetings are named after

/// The number of processes that train together.
std::int64_t size_of(const run::Job& job) { return 1 + std::ssize(job.followers); }

/// A file for the ranks of one attempt to meet by, in the folder of the first trial, which no other worker
/// writes. Those of attempts that were killed are removed: no rank of theirs may come to this meeting.
fs::path new_meeting(const run::Job& job) {
  const fs::path folder = store::trial_folder(job.results, job.trials[0].id);
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().native().starts_with(kMeetings)) old.push_back(entry.path());
  for (const fs::path& file : old) fs::remove(file);
  return folder / fmt::format("{}{}-{}", kMeetings, ::getpid(),
                              milliseconds_since_1970(utc_now()).value_or(0));
}

/// Runs this program as rank number `rank`, with the job on its standard input. What it prints goes to the log.
std::unique_ptr<ChildProcess> start_follower(const run::Job& job, std::int64_t rank) {
  const Descriptor input = memory_file(canonical(job) + "\n", "the job of a rank");
  const Descriptor log(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
  const std::string number = std::to_string(rank);
  const char* const arguments[] = {"/proc/self/exe", "--follow", number.c_str(), nullptr};
  return std::make_unique<ChildProcess>(fmt::format("rank {}", rank),
                                        [&] { return execute(arguments, input, log, log); });
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
  for (std::int64_t rank = 1; rank < size_of(job); ++rank) {
    job.device = job_.followers[static_cast<std::size_t>(rank - 1)].device;
    job.core = job_.followers[static_cast<std::size_t>(rank - 1)].core;
    followers_.push_back(start_follower(job, rank));
  }
  const auto waiting = [this] {
    if (const std::string lost = losses(); !lost.empty()) throw train::RankLost(lost);
  };
  ranks_ = std::make_unique<train::Ranks>(
      0, size_of(job),
      train::Meeting{
          .file = job.meeting, .patience_seconds = kPatienceSeconds, .waiting = waiting});
}

void Team::dismiss() {
  try {
    if (ranks_) ranks_->shared_text("");
    for (const auto& follower : followers_) follower->wait();
  } catch (const train::RankLost&) {  // nothing is lost with it: all is trained
  }
  disband();
}

void Team::disband() {
  followers_.clear();  // first: where they live, their connections would be waited for
  ranks_.reset();
}

std::string Team::losses() {
  std::string text;
  for (std::size_t i = 0; i < followers_.size(); ++i)
    if (followers_[i]->ended())
      text += fmt::format("{}rank {} ended by {}", text.empty() ? "" : ", ", i + 1,
                          status_text(followers_[i]->status()));
  return text;
}

int follow(const run::Job& job, std::int64_t rank, const std::string& device) {
  if (rank < 1 || rank >= size_of(job))
    reject("--follow {}: the job has ranks 0 to {}", rank, size_of(job) - 1);
  train::Ranks ranks(rank, size_of(job),
                     {.file = job.meeting, .patience_seconds = kPatienceSeconds});
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
