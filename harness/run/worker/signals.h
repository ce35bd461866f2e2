// Signals as a descriptor to poll, so that no handler interrupts our work.

#pragma once

#include <signal.h>

#include <vector>

namespace ablate::run {

/// While it lives, INT, TERM, HUP, USR1, USR2 and CHLD arrive here and nowhere else.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The descriptor to poll for input.
  int file() const { return file_; }

  /// The signals that have come since the last call. Never blocks.
  std::vector<int> take();

 private:
  sigset_t previous_;  // the mask to restore
  int file_;
};

}  // namespace ablate::run
