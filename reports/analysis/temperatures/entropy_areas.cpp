#include "reports/analysis/temperatures/entropy_areas.h"

#include <algorithm>
#include <set>
#include <span>

#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

using Points = std::span<const store::TemperaturePoint>;

/// A difference of two curves over a range of entropy.
struct Between {
  double from = 0, to = 0, area = 0;
};

bool rises(Points points) {
  return std::ranges::adjacent_find(points, std::ranges::greater_equal(),
                                    &store::TemperaturePoint::entropy) == points.end();
}

/// The quality at an entropy, on straight lines. Requires: the points rise and enclose it.
double quality_at(Points points, double entropy) {
  auto high = std::ranges::lower_bound(points, entropy, {}, &store::TemperaturePoint::entropy);
  if (high == points.begin()) return high->quality;
  if (high == points.end()) --high;
  const auto low = std::prev(high);
  const double part = (entropy - low->entropy) / (high->entropy - low->entropy);
  return low->quality + part * (high->quality - low->quality);
}

/// The curve minus the other one. Both are straight between the points of either, so that trapezoids
/// are exact.
std::optional<Between> between(Points curve, Points other) {
  if (!rises(curve) || !rises(other)) return std::nullopt;
  Between made{.from = std::max(curve.front().entropy, other.front().entropy),
               .to = std::min(curve.back().entropy, other.back().entropy)};
  if (made.from >= made.to) return std::nullopt;
  std::set<double> knots = {made.from, made.to};
  for (const Points points : {curve, other})
    for (const store::TemperaturePoint& point : points)
      if (point.entropy > made.from && point.entropy < made.to) knots.insert(point.entropy);
  const auto height = [&](double entropy) {
    return quality_at(curve, entropy) - quality_at(other, entropy);
  };
  for (auto knot = std::next(knots.begin()); knot != knots.end(); ++knot) {
    const double before = *std::prev(knot);
    made.area += (*knot - before) * (height(before) + height(*knot)) / 2;
  }
  return made;
}

/// The trial of a seed; null where the arm has none.
const store::TrialRecord* trial_with(const ArmResult& arm, std::int64_t seed) {
  const auto found = std::ranges::find(arm.trials, seed, &store::TrialRecord::seed);
  return found == arm.trials.end() ? nullptr : *found;
}

/// The area of one seed.
std::optional<Between> of_trial(const EntropyCurve& curve, const EntropyCurve& other,
                                const store::TrialRecord& trial) {
  const store::TrialRecord* const paired = trial_with(*other.arm, trial.seed);
  if (paired == nullptr) return std::nullopt;
  const store::TemperatureCurve* const own = stored_curve(trial, curve);
  const store::TemperatureCurve* const theirs = stored_curve(*paired, other);
  if (own == nullptr || theirs == nullptr) return std::nullopt;
  return between(own->points, theirs->points);
}

EntropyArea area_of(const EntropyCurve& curve, const EntropyCurve& other) {
  std::vector<std::optional<double>> areas, differences;
  std::vector<double> from, to;
  for (const store::TrialRecord* trial : curve.arm->trials) {
    const std::optional<Between> seen = of_trial(curve, other, *trial);
    areas.push_back(seen ? std::optional(seen->area) : std::nullopt);
    differences.push_back(seen ? std::optional(seen->area / (seen->to - seen->from))
                               : std::nullopt);
    if (!seen) continue;
    from.push_back(seen->from);
    to.push_back(seen->to);
  }
  return {.metric = curve.metric,
          .arm = curve.arm,
          .baseline = other.arm,
          .sampler = curve.sampler,
          .baseline_sampler = other.sampler,
          .from = statistics::mean(from),
          .to = statistics::mean(to),
          .area = estimate(std::move(areas)),
          .mean_difference = estimate(std::move(differences))};
}

/// The baseline's curve that a curve is compared with; null where there is none.
const EntropyCurve* compared_with(const std::vector<EntropyCurve>& curves,
                                  const EntropyCurve& curve) {
  const EntropyCurve* first = nullptr;
  for (const EntropyCurve& other : curves) {
    if (!other.arm->baseline || other.metric != curve.metric ||
        !comparable_arms(curve.metric->comparable_across, *curve.arm, *other.arm))
      continue;
    if (other.sampler == curve.sampler) return &other;
    if (first == nullptr) first = &other;
  }
  return first;
}

}  // namespace

std::vector<EntropyArea> entropy_areas(const std::vector<EntropyCurve>& curves) {
  std::vector<EntropyArea> areas;
  for (const EntropyCurve& curve : curves) {
    if (curve.arm->baseline) continue;
    const EntropyCurve* const other = compared_with(curves, curve);
    if (other == nullptr) continue;
    EntropyArea made = area_of(curve, *other);
    if (made.area.n > 0) areas.push_back(std::move(made));
  }
  return areas;
}

}  // namespace ablate::reports
