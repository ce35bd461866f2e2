// Seconds between two points of a program.

#pragma once

#include <chrono>

namespace ablate {

/// Measures time on a clock that never goes back.
class Stopwatch {
 public:
  /// Seconds since the last call, or since construction for the first one.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ablate
