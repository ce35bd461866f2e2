// A worker that a sweep has started, and what it has said so far.

#pragma once

#include <poll.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/run/job/protocol.h"
#include "harness/run/progress/progress.h"
#include "harness/run/queues.h"
#include "harness/run/sweep_settings.h"
#include "harness/run/worker/process.h"

namespace ablate::run {

/// What a worker has said of its versions: see plan::versions_of().
enum class Versions { untold, own, foreign };

/// A worker and the trials that it was given.
class Running {
 public:
  /// Starts a worker for a chunk. Creates the folders of its trials, but not trials/, which holds
  /// them: a results folder that was moved is not begun anew. Throws DamagedFile where a journal
  /// does not verify, another std::runtime_error where a folder, the log or the process cannot be
  /// created. Requires: the settings outlive it.
  /// `leases`: of its trials, where the folder is shared.
  Running(Assignment assignment, const plan::Plan& plan, const SweepSettings& settings,
          std::map<std::string, store::LeaseTicket> leases = {});

  const Assignment& assignment() const { return assignment_; }
  const Chunk& chunk() const { return assignment_.chunk; }
  const std::filesystem::path& log() const { return log_; }

  /// The number of attempts that the chunk's trial at `index` had before.
  std::size_t attempts_before(std::size_t index) const { return attempts_before_[index]; }

  /// Seconds since it was started.
  double seconds() const;

  /// Seconds of processors that it has taken. Requires: ended().
  double processor_seconds() const { return process_.processor_seconds(); }

  /// Takes what it has written: its progress is passed on, and its log kept short.
  void listen(Progress& progress);

  /// Whether its versions, which its first event states, are those of this program.
  Versions versions() const { return versions_; }

  /// The fault of the machine that it has told, or that its versions are foreign; else empty.
  const std::optional<Fault>& fault() const { return fault_; }

  /// A note on a worker that has said nothing for long; empty where none is due. The next one is
  /// due when it has been silent for twice as long.
  std::string silence_note();

  /// True once it has ended and all that it wrote was taken.
  bool ended(Progress& progress);

  /// Its status, as waitpid(2) returns it. Requires: ended().
  int status() const { return process_.status(); }

  /// Sends a signal to it and the processes that it has started.
  void signal(int number) { process_.signal(number); }

  /// Adds its output to what is polled, unless that is closed.
  void add_output(std::vector<pollfd>& files) const;

  /// Its name for messages: "worker 4711 (clm seed 1, trial t0)".
  std::string text() const;

 private:
  void take(const Json& event);
  void check_versions(const Json& event);
  void shorten_log_sometimes();
  void refuse(const std::string& difference);

  Assignment assignment_;
  const SweepSettings& settings_;
  std::vector<std::size_t> attempts_before_;
  std::filesystem::path log_;
  Process process_;
  double started_, heard_;       // monotonic seconds; heard_: of its last line
  double silence_;               // seconds that are noted next
  double shorten_at_ = 0;        // monotonic seconds
  std::string stage_ = "start";  // of the trial that it told of last
  Versions versions_ = Versions::untold;
  std::optional<Fault> fault_;
};

}  // namespace ablate::run
