// The machine that a run is on.

#pragma once

#include <cstddef>
#include <filesystem>

namespace ablate::run {

/// The worker program: $ABLATE_WORKER, or `ablate-worker` in the folder of the running program.
/// Throws std::invalid_argument where it is not an executable program.
std::filesystem::path find_worker();

/// The columns of the terminal at standard error; 80 where it is not a terminal.
std::size_t terminal_width();

/// Seconds on a clock that never goes back.
double monotonic_seconds();

}  // namespace ablate::run
