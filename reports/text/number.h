// Numbers as a reader wants them: no digit that the interval does not support.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/number_text.h"
#include "harness/statistics/paired.h"

namespace ablate::reports {

/// A mean and the half-width of its interval, rounded alike.
struct Rounded {
  std::string mean;
  std::string half;  // empty where there is no interval
};

/// The half-width to two significant digits, the mean to as many decimals. Without an interval, or
/// with one of no width, the mean has four significant digits.
Rounded rounded(double mean, const std::optional<statistics::Interval>& interval);

/// A p-value: two significant digits, "<0.001" below that.
std::string p_text(double p);

/// A count or amount with a prefix: 812, 26.4 k, 1.05 M, 3.2 G.
std::string amount(double value);

/// "1 trial", "2 trials".
std::string counted(std::int64_t count, const std::string& thing);

}  // namespace ablate::reports
