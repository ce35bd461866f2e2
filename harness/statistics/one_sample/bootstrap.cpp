#include "harness/statistics/one_sample/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::statistics {
namespace {

using Normal = boost::math::normal_distribution<double>;

void sort_by_value(std::vector<Weighted>& values) {
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
}

/// The means of all compositions of a resample, each with the fraction of the n^n resamples that
/// have it.
class Compositions {
 public:
  explicit Compositions(std::span<const double> values) : values_(values) {
    const auto n = static_cast<double>(values.size());
    extend(0, values.size(), 0, std::tgamma(n + 1) / std::pow(n, n));
  }
  std::vector<Weighted> means() && { return std::move(means_); }

 private:
  /// Takes the value at `index` 0 to `left` times. `weight`: n! / n^n over the factorials so far.
  void extend(std::size_t index, std::size_t left, double sum, double weight) {
    if (index + 1 == values_.size()) {
      const auto count = static_cast<double>(left);
      means_.push_back({(sum + count * values_[index]) / static_cast<double>(values_.size()),
                        weight / std::tgamma(count + 1)});
      return;
    }
    for (std::size_t taken = 0; taken <= left; ++taken) {
      const auto count = static_cast<double>(taken);
      extend(index + 1, left - taken, sum + count * values_[index],
             weight / std::tgamma(count + 1));
    }
  }

  std::span<const double> values_;
  std::vector<Weighted> means_;
};

std::vector<Weighted> drawn_means(std::span<const double> values, Rng rng) {
  std::vector<Weighted> means;
  for (std::uint64_t resample = 0; resample < kDrawnResamples; ++resample) {
    Rng draws = rng.fork(resample);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += values[static_cast<std::size_t>(draws.below(std::ssize(values)))];
    means.push_back({sum / static_cast<double>(values.size()), 1.0 / kDrawnResamples});
  }
  return means;
}

double standard_error(std::span<const Weighted> means, double centre) {
  double squares = 0;
  for (const Weighted& each : means)
    squares += each.weight * (each.value - centre) * (each.value - centre);
  return std::sqrt(squares);
}

/// z0: the normal quantile of the fraction of resamples below the observed mean; a tie counts a
/// half. Means that are equal but for rounding tie.
double bias_correction(std::span<const Weighted> means, double observed, double spread) {
  const double tie = 1e-9 * spread;
  double below = 0;
  for (const Weighted& mean : means) {
    if (mean.value < observed - tie) below += mean.weight;
    if (std::abs(mean.value - observed) <= tie) below += mean.weight / 2;
  }
  return boost::math::quantile(Normal(), below);
}

/// The acceleration by the jackknife. For a mean, the means without a value lie as far from their
/// own mean as the value from the sample's, on the other side, times 1 / (n - 1).
double jackknife_acceleration(std::span<const double> values, double observed) {
  double squares = 0, cubes = 0;
  for (const double value : values) {
    const double away = value - observed;
    squares += away * away;
    cubes += away * away * away;
  }
  return cubes / (6 * std::pow(squares, 1.5));
}

/// The fraction of resamples at which the corrected interval ends, for a normal quantile z.
double corrected_fraction(double z0, double acceleration, double z) {
  return boost::math::cdf(Normal(), z0 + (z0 + z) / (1 - acceleration * (z0 + z)));
}

}  // namespace

double quantile(std::span<const Weighted> ascending, double fraction) {
  constexpr double kWeightRounding = 1e-12;  // of the sum of weights
  double sum = 0;
  for (const Weighted& each : ascending) {
    sum += each.weight;
    if (sum >= fraction - kWeightRounding) return each.value;
  }
  return ascending.back().value;
}

Interval percentile_interval(std::span<const double> statistics, double alpha) {
  std::vector<Weighted> ascending;
  ascending.reserve(statistics.size());
  for (const double value : statistics)
    ascending.push_back({value, 1 / static_cast<double>(statistics.size())});
  sort_by_value(ascending);
  return {quantile(ascending, alpha / 2), quantile(ascending, 1 - alpha / 2)};
}

std::optional<Bootstrap> bootstrap_mean(std::span<const double> values, Rng rng, double alpha) {
  if (values.size() < 2 || all_tied(values, kDifferenceRounding)) return std::nullopt;
  std::vector<Weighted> means = values.size() <= kMaxEnumeratedResamples
                                    ? Compositions(values).means()
                                    : drawn_means(values, rng);
  sort_by_value(means);
  const double observed = mean(values);
  Bootstrap result;
  result.standard_error = standard_error(means, observed);
  result.bias_correction = bias_correction(means, observed, deviation(values));
  result.acceleration = jackknife_acceleration(values, observed);
  const double z = boost::math::quantile(Normal(), 1 - alpha / 2);
  result.percentile = {quantile(means, alpha / 2), quantile(means, 1 - alpha / 2)};
  const auto fraction = [&](double side) {
    return corrected_fraction(result.bias_correction, result.acceleration, side * z);
  };
  result.bca_fractions = {fraction(-1), fraction(1)};
  result.bca = {quantile(means, result.bca_fractions.low),
                quantile(means, result.bca_fractions.high)};
  return result;
}

}  // namespace ablate::statistics
