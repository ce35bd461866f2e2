// Mean, standard deviation and t-interval of one sample.

#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ablate::statistics {

/// [low, high], in the units of the values.
struct Interval {
  double low = 0;
  double high = 0;
};

/// The arithmetic mean; 0 for no values. The mean of equal values is exactly that value, it does not depend on the
/// order of the values to a bit, and where they cancel but for rounding it is 0.
double mean(std::span<const double> values);

/// Sample standard deviation (n - 1), whatever the order of the values; 0 where they are equal but for
/// rounding. Requires at least two values.
double deviation(std::span<const double> values);

/// The middle value, or the mean of the two in the middle. Requires a value.
double median(std::vector<double> values);

/// Two-sided Student t-interval of the mean, at confidence 1 - alpha; absent below two values.
std::optional<Interval> t_interval(std::span<const double> values, double alpha = 0.05);

}  // namespace ablate::statistics
