#include "harness/run/progress/time_left.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ablate::run {
namespace {

constexpr double kMemory =
    30;  // seconds over which an earlier rate loses all but 1/e of its weight

}  // namespace

void TimeLeft::observe(double share, double seconds) {
  if (!started_) {
    started_ = true;
    share_ = share;
    at_ = seconds;
    return;
  }
  const double passed = seconds - at_;
  if (passed <= 0) return;
  const double keep = std::exp(-passed / kMemory);
  // A trial that is tried again takes work back: that is no negative speed.
  const double rate = std::max(0.0, share - share_) / passed;
  rate_ = keep * rate_ + (1 - keep) * rate;
  weight_ = keep * weight_ + (1 - keep);
  share_ = share;
  at_ = seconds;
}

double TimeLeft::seconds() const {
  if (rate_ <= 0) return share_ >= 1 ? 0 : std::numeric_limits<double>::infinity();
  return std::max(0.0, 1 - share_) * weight_ / rate_;
}

}  // namespace ablate::run
