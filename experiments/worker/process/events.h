// Events that a worker writes to standard output, as JSON lines.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "harness/plan/trial/trial.h"
#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// Writes events. A reader that has gone away is no error.
class WorkerEvents {
 public:
  /// How far a stage of a trial is.
  struct Progress {
    std::string_view stage;  // data, model, train, probes
    std::int64_t step = 0;
    std::int64_t steps = 0;  // 0: not known
    double fraction = 0;     // of the stage, in [0, 1]
    std::optional<double> loss =
        std::nullopt;  // nats per target; none where a step scored no target
    double tokens_per_second = 0;
  };

  /// Writes the versions of this program. It is the first event of a worker.
  void versions(const Json& versions);

  /// Writes the progress of a trial: at most five times per second and trial, and at the end of a
  /// stage. Other calls are ignored.
  void progress(const plan::Trial& trial, const Progress& progress);

  /// Writes the number of lanes that was chosen by calibration.
  void lanes(const Json& choice);

  /// Writes what the device of the job is, and why it cannot train in bfloat16 (empty if it can).
  void device(const std::string& model, const std::string& bfloat16_refusal);

  /// Writes what a trained trial makes of a blank.
  void answer(const plan::Trial& trial, Json answer);

  /// Writes the outcome of a trial.
  void outcome(const plan::Trial& trial, std::string_view outcome, const std::string& message);

  /// Writes a fault of the machine, which ends this worker.
  void fault(const run::Fault& fault);

 private:
  void write(const Json& event);                                          // as one line
  std::map<std::string, std::chrono::steady_clock::time_point> written_;  // last time, by trial id
};

}  // namespace ablate::worker
