// A library to preload (LD_PRELOAD) that lets one file-system call of a program fail: it counts the
// calls that change something below a folder, and the one with a given number fails or kills the
// process. `faults.py` runs programs under it.
//
//   FAULT_FOLDER   calls on paths below this absolute path count
//   FAULT_PROGRAM  the name of the program whose calls count; others pass
//   FAULT_STATE    a file of 16 zero bytes: the count, which all processes share
//   FAULT_LOG      a file to which each counted call is appended; may be absent
//   FAULT_AT       the number of the call, from 1; 0 for none
//   FAULT_KIND     EIO: the call fails. ENOSPC: the disk is full from this call on, for all programs,
//                  and the first write that does not fit is cut short. SIGKILL, SIGTERM: the process
//                  gets the signal before the call. CLOCK: the clock is a day back from this call on.

#pragma once

#include <string>

namespace ablate::faults {

struct Fault {
  int error = 0;       // the errno to fail with; 0: the call goes through
  bool first = false;  // whether it is this call that finds the disk full
};

/// Counts a call that changes `path`, an absolute one, and tells whether it fails. `needs_space`:
/// whether a full disk is a reason to. Does not return where the process is killed.
Fault fault_of(const char* call, const std::string& path, bool needs_space);

/// The seconds that the clock is ahead of the right time.
long clock_error();

/// The path of an open file.
std::string path_of(int file);

/// The absolute path of `path`, relative to the folder that is open as `base`.
std::string path_at(int base, const char* path);

}  // namespace ablate::faults
