// Signals as something to be polled, so that no handler ever runs in the middle of our work.

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

  /// To be polled for input.
  int file() const { return file_; }

  /// The signals that have come since the last call. Never blocks.
  std::vector<int> take();

 private:
  sigset_t former_;
  int file_;
};

}  // namespace ablate::run
