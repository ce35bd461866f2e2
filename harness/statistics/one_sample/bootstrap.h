// Bootstrap intervals of a mean.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {

/// The largest sample of which all resamples are counted. n^n resamples have (2n - 1 over n)
/// different compositions: 92,378 of 10 values.
constexpr std::size_t kMaxEnumeratedResamples = 10;

/// How many resamples are drawn where they are too many to be counted.
constexpr std::uint64_t kDrawnResamples = 10'000;

/// What resampling says of a mean.
struct Bootstrap {
  double standard_error = 0;
  Interval percentile;
  Interval bca;
  Interval bca_fractions;      // of the resamples that lie below the ends of `bca`
  double bias_correction = 0;  // z0, in standard deviations
  double acceleration = 0;     // a
};

/// The bootstrap of the mean at confidence 1 - alpha. Exact up to kMaxEnumeratedResamples values:
/// all n^n resamples count, and `rng` is not used. Above that, kDrawnResamples are drawn. The BCa
/// interval corrects the percentile interval for bias and skewness; with few values it is still
/// too narrow. Absent below two values and where all values are equal but for rounding.
/// Source: Efron 1987, Journal of the American Statistical Association 82(397).
std::optional<Bootstrap> bootstrap_mean(std::span<const double> values, Rng rng,
                                        double alpha = 0.05);

/// A resampled statistic and its fraction of all resamples.
struct Weighted {
  double value = 0;
  double weight = 0;
};

/// The smallest value such that it and those below it have at least the given fraction of the
/// weight. Requires: `ascending` by value, not empty.
double quantile(std::span<const Weighted> ascending, double fraction);

/// The percentile interval, [alpha / 2, 1 - alpha / 2], of statistics of equal weight.
Interval percentile_interval(std::span<const double> statistics, double alpha);

}  // namespace ablate::statistics
