#include "harness/statistics/sweeps/crossing.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

/// Between two places every seed's difference is linear, so that the mean is linear and the variance a square: the
/// t-interval contains 0 where a + b l + c l^2 <= 0, l being the fraction of the way.
struct Undecided {
  double a = 0, b = 0, c = 0;

  /// The first fraction in [0, 1] from which on it is above 0; empty where that comes nowhere.
  std::optional<double> end() const {
    if (a > 0) return 0;
    std::optional<double> first;
    for (const double root : roots())
      if (root >= 0 && root < 1 && (!first || root < *first) && rises_at(root)) first = root;
    if (!first && a + b + c > 0) first = 1;  // but for rounding
    return first;
  }

 private:
  bool rises_at(double root) const {
    const double slope = b + 2 * c * root;
    return slope > 0 || (slope == 0 && c > 0);
  }

  std::vector<double> roots() const {
    if (c == 0) return b == 0 ? std::vector<double>() : std::vector{-a / b};
    const double square = b * b - 4 * a * c;
    if (square < 0) return {};
    const double q = -(b + std::copysign(std::sqrt(square), b)) / 2;  // no cancellation
    return q == 0 ? std::vector{0.0} : std::vector{q / c, a / q};
  }
};

/// The products that mean and variance are made of, over seeds: of the differences at two places.
double covariance(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
  return sum / static_cast<double>(x.size() - 1);
}

/// Of the way from one place to the next.
Undecided undecided(std::span<const double> from, std::span<const double> to) {
  const auto n = static_cast<double>(from.size());
  const double t = boost::math::quantile(
      boost::math::complement(boost::math::students_t_distribution<double>(n - 1), 0.025));
  const double factor = t * t / n;
  const double m0 = mean(from), step = mean(to) - m0;
  const double v00 = covariance(from, from), v01 = covariance(from, to), v11 = covariance(to, to);
  return {.a = m0 * m0 - factor * v00,
          .b = 2 * (m0 * step - factor * (v01 - v00)),
          .c = step * step - factor * (v00 - 2 * v01 + v11)};
}

/// Piecewise linear differences along the places.
class Differences {
 public:
  Differences(std::span<const double> places, const std::vector<std::vector<double>>& at_places)
      : places_(places), at_places_(at_places) {}

  /// The end of the undecided places from `start` on, upwards or downwards; empty where it is none up to the last.
  std::optional<double> boundary(double start, bool upwards) const {
    std::vector<double> here = at(start);
    double place = start;
    for (const std::size_t next : beyond(start, upwards)) {
      if (const auto end = undecided(here, at_places_[next]).end())
        return place + *end * (places_[next] - place);
      here = at_places_[next];
      place = places_[next];
    }
    return std::nullopt;
  }

 private:
  /// The differences of all seeds at a place within the range.
  std::vector<double> at(double place) const {
    const auto above = std::upper_bound(places_.begin(), places_.end(), place);
    const auto after =
        std::clamp<std::ptrdiff_t>(above - places_.begin(), 1, std::ssize(places_) - 1);
    const auto right = static_cast<std::size_t>(after), left = right - 1;
    const double progress = (place - places_[left]) / (places_[right] - places_[left]);
    std::vector<double> values;
    for (std::size_t seed = 0; seed < at_places_[left].size(); ++seed)
      values.push_back((1 - progress) * at_places_[left][seed] +
                       progress * at_places_[right][seed]);
    return values;
  }

  /// The places on one side of a place, the nearest first.
  std::vector<std::size_t> beyond(double place, bool upwards) const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (upwards ? places_[i] > place : places_[i] < place) indices.push_back(i);
    if (!upwards) std::reverse(indices.begin(), indices.end());
    return indices;
  }

  std::span<const double> places_;
  const std::vector<std::vector<double>>& at_places_;
};

/// The indices of the places whose mean difference is not 0.
std::vector<std::size_t> with_sign(const std::vector<std::vector<double>>& differences) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (mean(differences[i]) != 0) places.push_back(i);
  return places;
}

}  // namespace

std::size_t sign_changes(const std::vector<std::vector<double>>& differences) {
  const std::vector<std::size_t> places = with_sign(differences);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < places.size(); ++i)
    changes += (mean(differences[places[i - 1]]) > 0) != (mean(differences[places[i]]) > 0);
  return changes;
}

std::optional<Crossing> crossing_of(std::span<const double> places,
                                    const std::vector<std::vector<double>>& differences) {
  if (sign_changes(differences) != 1) return std::nullopt;
  const std::vector<std::size_t> signs = with_sign(differences);
  std::size_t i = 1;
  while ((mean(differences[signs[i - 1]]) > 0) == (mean(differences[signs[i]]) > 0)) ++i;
  const double before = mean(differences[signs[i - 1]]), after = mean(differences[signs[i]]);
  const double left = places[signs[i - 1]], right = places[signs[i]];
  const bool through_zero = signs[i] > signs[i - 1] + 1;  // a mean of exactly 0 lies between them
  const double at =
      through_zero ? places[signs[i - 1] + 1] : left + (right - left) * before / (before - after);
  const Differences along(places, differences);
  return Crossing{at, along.boundary(at, false), along.boundary(at, true)};
}

}  // namespace ablate::statistics
