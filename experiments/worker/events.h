// What a worker tells whoever watches: JSON lines on standard output.

#pragma once

#include <chrono>
#include <map>
#include <string>

#include "harness/plan/trial/trial.h"

namespace ablate::worker {

class WorkerEvents {
 public:
  struct Progress {
    std::string_view stage;  // data, model, train, probes
    std::int64_t step = 0;
    std::int64_t steps = 0;  // 0 where nobody knows
    double share = 0;        // of the stage
    double loss = 0;
    double tokens_per_second = 0;
  };

  /// At most five a second a trial, and the last one of a stage; more are dropped.
  void progress(const plan::Trial& trial, const Progress& progress);
  void lanes(const Json& choice);
  void outcome(const plan::Trial& trial, std::string_view outcome, const std::string& message);

 private:
  void write(const Json& event);
  std::map<std::string, std::chrono::steady_clock::time_point> told_;  // by trial
};

}  // namespace ablate::worker
