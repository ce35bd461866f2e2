// Statistics of arms that share seeds: everything is about the differences
// d_i = arm_i - baseline_i. Deterministic. The p-value of a difference is sign_flip_p() in
// sign_flip.h.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ablate::statistics {

/// [low, high], in the units of the values.
struct Interval {
  double low = 0;
  double high = 0;
};

/// The arithmetic mean; 0 for no values. The mean of equal values is exactly that value.
double mean(std::span<const double> values);

/// Sample standard deviation (n - 1). Requires at least two values.
double deviation(std::span<const double> values);

/// Two-sided Student t-interval of the mean, at confidence 1 - alpha; absent below two values.
std::optional<Interval> t_interval(std::span<const double> values, double alpha = 0.05);

/// p-values adjusted over a family so that each may be compared with alpha.
/// Source: Holm 1979, Scandinavian Journal of Statistics 6(2). Order is kept.
std::vector<double> holm(std::span<const double> p);

/// How p-values are adjusted for several comparisons.
enum class Correction { none, holm };

/// p-values adjusted by the correction, in their given order.
std::vector<double> adjust(std::span<const double> p, Correction correction);

/// Two one-sided t-tests: p of "the mean is not within (-margin, margin)". A small p makes "no
/// difference that matters" a finding. Source: Schuirmann 1987. Values without any spread but for
/// rounding say nothing to a t-test; where they lie within the margin, p is that of a sign test,
/// 2^-n. Requires at least two values.
double equivalence_p(std::span<const double> differences, double margin);

/// What a difference shows.
enum class Verdict { better, worse, equivalent, inconclusive, incomparable };

/// The name of a verdict in records and reports: that of its enumerator.
std::string_view name_of(Verdict verdict);

}  // namespace ablate::statistics
