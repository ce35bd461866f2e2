// Signals that ask a worker to stop. They take effect at the next step, with a checkpoint.

#pragma once

#include <exception>

namespace ablate::worker {

/// Handles INT, TERM, USR1 and USR2 from now on, and requests TERM when the parent process ends. A
/// second INT ends the process at once.
void listen_to_signals();

/// For a rank that follows another one: signals to stop do nothing here, since the first rank decides when
/// all of them stop.
void leave_signals_to_the_first_rank();

/// The signal that was received last, or 0.
int stop_signal();

/// The exit status for that signal: 130 after INT, otherwise 75.
int stop_exit_code();

/// Thrown to stop a probe after a signal.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped by a signal"; }
};

}  // namespace ablate::worker
