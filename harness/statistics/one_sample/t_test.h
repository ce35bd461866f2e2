// Student's t-test of a mean. That of paired differences is the paired t-test.

#pragma once

#include <optional>
#include <span>

namespace ablate::statistics {

/// A t statistic, its degrees of freedom and its two-sided p-value.
struct TTest {
  double t = 0;
  double degrees = 0;
  double p = 1;
};

/// P(|T| >= |t|) for Student's t.
double two_sided_t_p(double t, double degrees);

/// Two-sided t-test of mean zero. Absent below two values, and where the values are equal but for
/// rounding: without a spread a t-test would be certain of anything.
std::optional<TTest> one_sample_t_test(std::span<const double> values);

}  // namespace ablate::statistics
