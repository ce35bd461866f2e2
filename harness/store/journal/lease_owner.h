// Who holds a lease: a process, as another machine or a later boot can tell it from others.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ablate::store {

/// A program that trains trials.
struct LeaseOwner {
  std::int64_t pid = 0;
  std::string host;
  std::string boot;  // differs after each start of the machine
  std::string
      started;      // of the process, in the system's ticks: tells processes of one number apart
  std::string job;  // of a scheduler, such as a Slurm job and its index in the array; empty: none
  std::int64_t restart = 0;  // how often the scheduler started this job again

  std::string text() const;  // "process 4711 on host 'cpu3'"
};

/// This process.
LeaseOwner this_process();

/// Whether an owner on this machine is no longer there; nothing where it may be on another one, in another container, or of
/// another boot.
std::optional<bool> is_dead_here(const LeaseOwner& owner, const LeaseOwner& here);

}  // namespace ablate::store
