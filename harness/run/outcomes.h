// What became of the trials of a worker that is gone.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/sweep.h"
#include "harness/store/digest.h"
#include "harness/store/folder.h"

namespace ablate {

/// How a worker ended, by its exit status.
enum class Ending {
  well,     // every trial has an outcome
  stopped,  // by a signal, with a checkpoint
  damaged,  // a journal or checkpoint does not verify
  crashed,
};

/// `stopping`: whether it had been told to stop, so that dying of the signal is no crash.
Ending ending_of(int status, bool stopping);

/// What to tell of a worker that crashed: how it ended, and its last words.
std::string crash_text(int status, const std::filesystem::path& log);

/// Appends the outcome "failed" to a trial's journal; `began`: the crashed worker had begun an
/// attempt.
void record_failure(const std::filesystem::path& results, const Trial& trial, bool began,
                    const std::string& message);

/// Counts the outcomes that the journals of a plan's trials hold.
void count_outcomes(const Plan& plan, const std::filesystem::path& results, SweepResult& result);

/// How fast workers train, over those of one run.
class Speed {
 public:
  /// Takes in the trials of one worker that were trained whole, by the seconds of their "train"
  /// stage.
  void observe(const std::vector<Trial>& chunk, const std::filesystem::path& results);

  double flops_per_second() const { return seconds_ > 0 ? flops_ / seconds_ : 0; }

 private:
  double flops_ = 0;
  double seconds_ = 0;
};

}  // namespace ablate
