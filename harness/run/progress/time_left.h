// Estimates the time left from the recent rate of work.

#pragma once

namespace ablate::run {

/// An exponentially weighted average of the rate of work, in fractions of all work per second. It
/// goes back a quarter of the time that was observed: a pause of a long run is no new pace.
class TimeLeft {
 public:
  /// Records that `fraction` of the work, in [0, 1], is done at `seconds` on a clock that never
  /// goes back.
  void observe(double fraction, double seconds);

  /// The estimated seconds left; infinite before there is an estimate.
  double seconds() const;

 private:
  bool started_ = false;
  double start_ = 0;     // seconds, of the first observation
  double fraction_ = 0;  // at the last observation
  double at_ = 0;        // seconds, of the last observation
  double rate_ = 0;      // the average before the correction by weight_
  double weight_ = 0;    // sum of the weights in the average; corrects its start from 0
};

}  // namespace ablate::run
