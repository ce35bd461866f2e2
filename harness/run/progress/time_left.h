// How long the rest will take, from how fast the work went lately.

#pragma once

namespace ablate::run {

/// An exponentially weighted rate of work, in shares of the whole per second.
class TimeLeft {
 public:
  /// What is done by now: `share` of the whole, 0 to 1, at `seconds` on a clock that only grows.
  void observe(double share, double seconds);

  /// Seconds for the rest; infinite while nothing is known.
  double seconds() const;

 private:
  bool started_ = false;
  double share_ = 0;
  double at_ = 0;
  double rate_ = 0;
  double weight_ = 0;  // how much of the average is known; corrects its start from 0
};

}  // namespace ablate::run
