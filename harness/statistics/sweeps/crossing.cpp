#include "harness/statistics/sweeps/crossing.h"

#include <algorithm>
#include <cmath>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::statistics {
namespace {

constexpr int kSteps = 512;  // between two places; the set is as exact as a step

/// Piecewise linear differences along the places.
class Differences {
 public:
  Differences(std::span<const double> places, const std::vector<std::vector<double>>& at_places)
      : places_(places), at_places_(at_places) {}

  /// The differences of all seeds at a place within the range.
  std::vector<double> at(double place) const {
    const auto above = std::upper_bound(places_.begin(), places_.end(), place);
    const auto after =
        std::clamp<std::ptrdiff_t>(above - places_.begin(), 1, std::ssize(places_) - 1);
    const auto right = static_cast<std::size_t>(after), left = right - 1;
    const double share = (place - places_[left]) / (places_[right] - places_[left]);
    std::vector<double> values;
    for (std::size_t seed = 0; seed < at_places_[left].size(); ++seed)
      values.push_back((1 - share) * at_places_[left][seed] + share * at_places_[right][seed]);
    return values;
  }

  /// Whether zero is within the interval of the mean difference there.
  bool undecided(double place) const {
    const Interval interval = t_interval(at(place)).value();
    return interval.low <= 0 && interval.high >= 0;
  }

  /// The end of the undecided places from `start` on towards `end`; empty where it reaches the end.
  std::optional<double> boundary(double start, double end) const {
    const double step =
        (places_.back() - places_.front()) / (kSteps * static_cast<double>(places_.size()));
    const double towards = end < start ? -step : step;
    for (double place = start; (end - place) * towards > 0; place += towards)
      if (!undecided(place)) return place;
    return undecided(end) ? std::nullopt : std::optional(end);
  }

 private:
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
  return Crossing{at, along.boundary(at, places.front()), along.boundary(at, places.back())};
}

}  // namespace ablate::statistics
