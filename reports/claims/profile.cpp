#include "reports/claims/profile.h"

#include <numeric>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/sweeps/trend.h"

#include "reports/analysis/sweeps/sweeps.h"

namespace ablate::reports {
namespace {

/// A place of the sweep: the arm there, and the one that is subtracted, if any.
struct SweepPlace {
  double at = 0;
  const ArmResult* arm = nullptr;
  const ArmResult* minus = nullptr;
};

const SweptFamily* family_in(const NumberSweep& sweep, const std::string& name) {
  for (const SweptFamily& family : sweep.families)
    if (family.name == name) return &family;
  return nullptr;
}

const ArmResult* arm_at(const SweptFamily& family, double value) {
  for (const SweptArm& each : family.arms)
    if (each.value == value) return each.arm;
  return nullptr;
}

std::vector<SweepPlace> places_of(const SweptFamily& family, const SweptFamily* minus) {
  std::vector<SweepPlace> places;
  for (const SweptArm& each : family.arms) {
    const ArmResult* subtracted = minus == nullptr ? nullptr : arm_at(*minus, each.value);
    const bool lacks = minus != nullptr && (subtracted == nullptr || subtracted->pending());
    if (!each.arm->pending() && !lacks) places.push_back({each.value, each.arm, subtracted});
  }
  return places;
}

std::optional<double> value_at_place(const SweepPlace& place, const std::string& metric,
                                     std::int64_t seed) {
  const auto value = place.arm->value_at(metric, seed);
  if (place.minus == nullptr || !value) return value;
  const auto subtracted = place.minus->value_at(metric, seed);
  return subtracted ? std::optional(statistics::difference(*value, *subtracted)) : std::nullopt;
}

Profile profile_over(const std::vector<SweepPlace>& places, const std::string& metric) {
  Profile profile;
  for (const SweepPlace& place : places) {
    profile.at.push_back(place.at);
    profile.arms.push_back(place.arm);
    if (place.minus != nullptr) profile.arms.push_back(place.minus);
  }
  profile.values.resize(places.size());
  if (places.empty()) return profile;
  for (const store::TrialRecord* trial : places.front().arm->trials) {
    std::vector<double> of_seed;
    for (const SweepPlace& place : places)
      if (const auto value = value_at_place(place, metric, trial->seed)) of_seed.push_back(*value);
    if (of_seed.size() != places.size()) continue;
    for (std::size_t i = 0; i < places.size(); ++i) profile.values[i].push_back(of_seed[i]);
  }
  return profile;
}

}  // namespace

std::vector<double> Profile::difference(std::size_t from, std::size_t to) const {
  return statistics::differences(values[to], values[from]);
}

std::vector<double> Profile::slopes() const {
  if (values.empty()) return {};
  std::vector<double> places(at.size());
  std::iota(places.begin(), places.end(), 0.0);
  return statistics::contrast_by_seed(statistics::polynomial_contrast(places, 1), values);
}

std::optional<Profile> profile_of(const Analysis& analysis, const std::string& family,
                                  const std::string& minus, const std::string& along,
                                  const std::string& metric) {
  for (const NumberSweep& sweep : number_sweeps(analysis)) {
    const SweptFamily* found = family_in(sweep, family);
    const SweptFamily* subtracted = minus.empty() ? nullptr : family_in(sweep, minus);
    if (sweep.parameter != along || found == nullptr) continue;
    if (!minus.empty() && subtracted == nullptr) continue;
    return profile_over(places_of(*found, subtracted), metric);
  }
  return std::nullopt;
}

}  // namespace ablate::reports
