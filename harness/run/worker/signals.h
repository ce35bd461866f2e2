// Signals as a descriptor to poll, so that no handler interrupts the program.

#pragma once

#include <signal.h>

#include <vector>

namespace ablate::run {

/// While it exists, INT, TERM, HUP, USR1, USR2 and CHLD are blocked and can be read here.
class Signals {
 public:
  /// Blocks the signals in this thread and those it starts. Throws std::runtime_error where the
  /// system gives no descriptor.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The descriptor to poll for input.
  int file() const { return file_; }

  /// The signals that have arrived since the last call. Never blocks.
  std::vector<int> take();

 private:
  sigset_t previous_;  // the mask to restore
  int file_;
};

}  // namespace ablate::run
