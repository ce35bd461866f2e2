#include "harness/run/progress/time_left.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ablate::run {
namespace {

// Seconds over which an earlier rate loses all but 1/e of its weight: at least, and as a fraction of
// the time that was observed.
constexpr double kLeastMemory = 30;
constexpr double kMemory = 0.25;

}  // namespace

void TimeLeft::observe(double fraction, double seconds) {
  if (!started_) {
    started_ = true;
    start_ = seconds;
    fraction_ = fraction;
    at_ = seconds;
    return;
  }
  const double passed = seconds - at_;
  if (passed <= 0) return;
  const double keep = std::exp(-passed / std::max(kLeastMemory, kMemory * (seconds - start_)));
  // A trial that is tried again reduces the fraction; the rate is not negative then.
  const double rate = std::max(0.0, fraction - fraction_) / passed;
  rate_ = keep * rate_ + (1 - keep) * rate;
  weight_ = keep * weight_ + (1 - keep);
  fraction_ = fraction;
  at_ = seconds;
}

double TimeLeft::seconds() const {
  if (rate_ <= 0) return fraction_ >= 1 ? 0 : std::numeric_limits<double>::infinity();
  return std::max(0.0, 1 - fraction_) * weight_ / rate_;
}

}  // namespace ablate::run
