// Statistics of arms that share seeds: everything is about the differences d_i = arm_i -
// baseline_i.
//
// Deterministic: exact where enumeration is possible, counter-based random numbers elsewhere.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ablate::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

double mean(std::span<const double> values);

/// Sample standard deviation (n - 1). Requires at least two values.
double deviation(std::span<const double> values);

/// Two-sided Student t-interval of the mean, at confidence 1 - alpha; nothing below two values.
std::optional<Interval> t_interval(std::span<const double> values, double alpha = 0.05);

/// Exact two-sided sign-flip permutation test of mean zero: the share of the 2^n sign patterns
/// whose mean is at least as far from 0 as the one seen. Exact up to n = 32, sampled (2^20 keyed
/// patterns, the identity among them) above. 1 below one value. Requires finite values. Source:
/// Fisher 1935, "The Design of Experiments", section 21.
double sign_flip_p(std::span<const double> differences);

/// The least p that `n` differences can reach: 2^(1 - n).
double minimum_sign_flip_p(std::int64_t n);

/// p-values adjusted over a family so that each may be compared with alpha.
/// Source: Holm 1979, Scandinavian Journal of Statistics 6(2). Order is kept.
std::vector<double> holm(std::span<const double> p);

enum class Correction { none, holm };
std::vector<double> adjust(std::span<const double> p, Correction correction);

/// Two one-sided t-tests: p of "the mean is not within (-margin, margin)". A small one makes "no
/// difference that matters" a finding. Source: Schuirmann 1987. Requires at least two values.
double equivalence_p(std::span<const double> differences, double margin);

/// What a difference may be said to show.
enum class Verdict { better, worse, equivalent, inconclusive, incomparable };
std::string_view name_of(Verdict verdict);

/// Power of the sign-flip test (p < alpha) when the differences are normal with mean `effect`
/// standard deviations. Closed where only unanimous signs reach alpha, else by keyed simulation
/// (the same each time, standard error at most .008); above n = 16 the paired t-test's power, which
/// it approaches.
double sign_flip_power(std::int64_t n, double alpha, double effect);

/// The smallest effect (in standard deviations of the paired difference) that the sign-flip test
/// finds with power .8 when `comparisons` tests share `alpha` under Holm (the first step: alpha /
/// comparisons); nothing where the seeds cannot reach significance at all.
std::optional<double> minimum_detectable_effect(std::int64_t n, double alpha,
                                                std::int64_t comparisons);

}  // namespace ablate::statistics
