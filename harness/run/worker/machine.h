// Facts about the machine that a run is on.

#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace ablate::run {

/// Processors that this process may use: by affinity, and by the quota of its control group.
std::size_t usable_cores();

/// The numbers of the processors that this process may use, as the system counts them.
std::vector<int> core_numbers();

/// The worker program: $ABLATE_WORKER, or `ablate-worker` beside the running program.
/// Throws std::invalid_argument where it is not there.
std::filesystem::path find_worker();

/// Columns of the terminal at standard error; 80 where it is none.
std::size_t terminal_width();

/// Seconds on a clock that never goes back.
double monotonic_seconds();

}  // namespace ablate::run
