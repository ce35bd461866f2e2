// Where the time goes.

#pragma once

#include <algorithm>
#include <chrono>

#include "harness/base/json.h"

namespace ablate {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since it was made.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Seconds of training by what they were spent on.
struct TimeSpent {
  double all = 0, data = 0, model = 0, update = 0;

  /// Of all of it: fractions.
  Json shares() const {
    const double whole = std::max(all, 1e-9);
    return {{"data", data / whole},
            {"forward_and_backward", model / whole},
            {"update", update / whole},
            {"other", std::max(0.0, 1 - (data + model + update) / whole)}};
  }
};

}  // namespace ablate
