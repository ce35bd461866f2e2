// Signals that ask a worker to stop: seen at the next step, obeyed with a checkpoint.

#pragma once

#include <exception>

namespace ablate::worker {

/// Takes INT, TERM, USR1 and USR2 from now on, and asks for TERM when the parent dies. A second INT
/// ends the process at once.
void listen_to_signals();

/// The signal that has come, or 0.
int stop_signal();

/// The exit status that the signal calls for: 130 after INT, else 75.
int stop_exit_code();

/// Thrown where a probe is cut off by a signal.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

}  // namespace ablate::worker
