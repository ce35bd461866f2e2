// Welch's t-test of two independent samples.

#pragma once

#include <optional>
#include <span>

#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/one_sample/t_test.h"

namespace ablate::statistics {

/// Two-sided test of equal means that does not assume equal variances; t is positive where the
/// mean of `x` is larger. Absent below two values in a sample, and where neither has a spread.
/// Source: Welch 1947, Biometrika 34(1-2).
std::optional<TTest> welch_t_test(std::span<const double> x, std::span<const double> y);

/// The interval of mean(x) - mean(y) that this test goes with, of confidence 1 - alpha. Absent where
/// the test is.
std::optional<Interval> welch_interval(std::span<const double> x, std::span<const double> y,
                                       double alpha = 0.05);

}  // namespace ablate::statistics
