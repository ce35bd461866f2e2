// How many processors this process may use.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ablate {

/// What limits the processors of a process.
struct CoreLimits {
  std::size_t affinity = 1;  // how many it may run on
  double quota =
      std::numeric_limits<double>::infinity();  // of the time of one; 1.5 is one and a half
  std::optional<std::size_t> grant;             // what a batch system has promised it
};

/// The least of the limits, rounded down; at least 1.
std::size_t cores_within(const CoreLimits& limits);

/// The number of processors that this process may use: by its affinity, by the quotas of its control
/// groups, and by the grant of SLURM.
std::size_t usable_cores();

/// The system's numbers of the processors that this process may run on. Empty where the system does not
/// tell.
std::vector<int> core_numbers();

/// The smallest quota among this process's control groups and those that they are in, of version 1
/// and 2, in processors; infinite where there is none. `root`: the folder that "proc" and the mounted
/// control groups are in.
double cpu_quota(const std::filesystem::path& root = "/");

/// What SLURM has granted: SLURM_CPUS_PER_TASK, or else SLURM_CPUS_ON_NODE. What is not a positive
/// number is passed over. `environment`: the value of a variable, null where there is none.
std::optional<std::size_t> granted_cores(
    const std::function<const char*(const char*)>& environment);

}  // namespace ablate
