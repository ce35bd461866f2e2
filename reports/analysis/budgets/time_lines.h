// Where the time of trials went, line by line.

#pragma once

#include <string>
#include <vector>

#include "harness/store/index/details/trial_time.h"

namespace ablate::reports {

/// One line: a stage of a trial, or a part of one.
struct TimeLine {
  enum class Of {
    trial,      // a stage
    measuring,  // a probe, or the rest of the stage
    activity,   // what a probe was doing: the same time, told apart in another way
    all,        // the sum of the stages
  };

  Of of = Of::trial;
  std::string what;
  std::vector<double> seconds;  // by group: the mean of a trial
};

/// A group of trials, such as those of an arm.
using TimedTrials = std::vector<const store::TrialTime*>;

/// The stages of trials, with what measuring went to: by probe, the greatest first, and by what the
/// probes were doing. Measurements whose journals say nothing of it are in the rest, which is left out
/// where it is under a thousandth. Without groups that have a trial, there are no lines.
std::vector<TimeLine> time_lines(const std::vector<TimedTrials>& groups);

/// The part of a line in the last one, as a fraction, by group; 0 where the sum is 0.
std::vector<double> shares(const TimeLine& line, const std::vector<TimeLine>& lines);

}  // namespace ablate::reports
