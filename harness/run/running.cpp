#include "harness/run/running.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <utility>

#include "harness/base/exit_code.h"
#include "harness/base/number_text.h"
#include "harness/plan/resolve/versions.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"

namespace ablate::run {
namespace {

/// Creates the folders that a chunk's trials lack, and counts the attempts that each trial had.
std::vector<std::size_t> begin_trials(const Chunk& chunk, const std::filesystem::path& results) {
  std::vector<std::size_t> attempts;
  for (const plan::Trial& trial : chunk.trials) {
    const auto folder = store::begin_trial_folder(results, trial.id);
    attempts.push_back(store::read_trial_state(folder / store::kJournalName).attempts.size());
  }
  return attempts;
}

Job job_of(const Assignment& assignment, const plan::Plan& plan, const SweepSettings& settings,
           std::map<std::string, store::LeaseTicket> leases) {
  const auto& [chunk, place] = assignment;
  return {.results = settings.results,
          .corpus = plan.corpus,
          .trials = chunk.trials,
          .device = place.device,
          .threads = place.threads,
          .core = place.core,
          .checkpoint_seconds = settings.checkpoint_seconds,
          .command = settings.command,
          .task = chunk.task,
          .leases = std::move(leases),
          .followers = place.followers,
          .lane_choice = chunk.lane_choice};
}

/// The log of a chunk's worker. One that measures does not overwrite that of the one that trained.
std::filesystem::path log_of(const Chunk& chunk, const std::filesystem::path& results) {
  return store::trial_folder(results, chunk.trials[0].id) /
         (chunk.task == Task::measure ? "measuring.log" : "worker.log");
}

std::string text_under(const Json& event, const char* name) {
  const Json value = event.value(name, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

Running::Running(Assignment assignment, const plan::Plan& plan, const SweepSettings& settings,
                 std::map<std::string, store::LeaseTicket> leases)
    : assignment_(std::move(assignment)),
      settings_(settings),
      attempts_before_(begin_trials(chunk(), settings.results)),
      log_(log_of(chunk(), settings.results)),
      process_(settings.worker,
               canonical(job_of(assignment_, plan, settings, std::move(leases))) + "\n", log_),
      started_(monotonic_seconds()),
      heard_(started_),
      silence_(settings.silence_seconds) {}

double Running::seconds() const { return monotonic_seconds() - started_; }

void Running::listen(Progress& progress) {
  for (const std::string& line : process_.lines()) {
    heard_ = monotonic_seconds();
    silence_ = settings_.silence_seconds;
    const Json event = event_in(line);
    if (event.is_null() || versions_ == Versions::foreign) continue;
    take(event);
    if (versions_ == Versions::own) progress.heard(event);
  }
  shorten_log_sometimes();
}

void Running::shorten_log_sometimes() {
  // Of a thousand machines that share a file system, each look is a request to its server.
  constexpr double kPause = 1;  // second
  if (monotonic_seconds() < shorten_at_) return;
  shorten_at_ = monotonic_seconds() + kPause;
  shorten_log(log_);
}

void Running::take(const Json& event) {
  if (versions_ == Versions::untold) return check_versions(event);
  const std::string kind = event.at("event");
  if (kind == "progress") stage_ = text_under(event, "stage");
  if (kind == "fault")
    fault_ = {text_under(event, "message"), event.value("no_space", Json()) == Json(true)};
}

void Running::check_versions(const Json& event) {
  if (event.at("event") != "versions") return refuse("it does not state its versions");
  const std::string difference =
      plan::version_difference(settings_.versions, event.value("versions", Json()));
  if (!difference.empty()) return refuse(difference);
  versions_ = Versions::own;
}

void Running::refuse(const std::string& difference) {
  versions_ = Versions::foreign;
  fault_ = {fmt::format("{}: {}; build both programs from the same source",
                        settings_.worker.string(), difference),
            false};
}

std::string Running::silence_note() {
  const double silent = monotonic_seconds() - heard_;
  if (silent < silence_) return "";
  while (silence_ <= silent) silence_ *= 2;
  return fmt::format(
      "{} has said nothing for {}, in stage '{}'; if it hangs, `kill -9 {}` ends it, and its "
      "trials are tried once more",
      text(), duration_text(silent), stage_, process_.id());
}

bool Running::ended(Progress& progress) {
  if (!process_.ended()) return false;
  shorten_at_ = 0;
  listen(progress);
  const bool well = WIFEXITED(status()) && WEXITSTATUS(status()) == exit_ok;
  if (well && versions_ == Versions::untold) refuse("it does not state its versions");
  return true;
}

void Running::add_output(std::vector<pollfd>& files) const {
  if (!process_.closed()) files.push_back({process_.output(), POLLIN, 0});
}

std::string Running::text() const {
  const plan::Trial& first = chunk().trials[0];
  const std::size_t more = chunk().trials.size() - 1;
  return fmt::format("worker {} ({} seed {}, trial {}{})", process_.id(), first.arm, first.seed,
                     first.id, more > 0 ? fmt::format(", and {} more", more) : "");
}

}  // namespace ablate::run
