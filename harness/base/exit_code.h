// The programs' exit codes. Documented in docs/clusters.md, tested end to end.

#pragma once

namespace ablate {

/// What a program returns to the shell.
enum ExitCode : int {
  exit_ok = 0,
  exit_failure = 1,        // the machine failed, work is left unfinished, or an internal error
  exit_usage = 2,          // a flag or an experiment file was refused
  exit_some_failed = 3,    // finished, but some trials failed or diverged
  exit_regression = 4,     // a gate found a regression
  exit_inconclusive = 5,   // a gate could not tell
  exit_damaged = 6,        // a store or checkpoint fails its checksum, or the disk is full
  exit_preempted = 75,     // stopped with a checkpoint: run the same command again
  exit_interrupted = 130,  // stopped by the user, with a checkpoint
};

}  // namespace ablate
