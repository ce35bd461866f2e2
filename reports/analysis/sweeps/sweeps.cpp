#include "reports/analysis/sweeps/sweeps.h"

#include <algorithm>
#include <optional>
#include <set>

namespace ablate::reports {
namespace {

using Members = std::vector<const ArmResult*>;

/// The arms made from one entry by a sweep, by the entry's name; in the plan's order.
std::vector<std::pair<std::string, Members>> swept_entries(const Analysis& analysis) {
  std::vector<std::pair<std::string, Members>> entries;
  for (const ArmResult& arm : analysis.arms) {
    const std::size_t bracket = arm.name.find('[');
    if (bracket == arm.name.npos) continue;
    const std::string entry = arm.name.substr(0, bracket);
    const auto same = [&](const auto& other) { return other.first == entry; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    if (found == entries.end())
      entries.push_back({entry, {&arm}});
    else
      found->second.push_back(&arm);
  }
  return entries;
}

/// The JSON pointer to the one setting in which the arms differ.
std::optional<std::string> differing_setting(const std::vector<Json>& settings) {
  std::set<std::string> differing;
  for (const Json& arm : settings)
    for (const auto& [pointer, value] : arm.items())
      for (const Json& other : settings) {
        const auto found = other.find(pointer);
        if (found == other.end() || *found != value) differing.insert(pointer);
      }
  return differing.size() == 1 ? std::optional(*differing.begin()) : std::nullopt;
}

/// "objective.rate" for the pointer "/objective/rate".
std::string dotted(std::string pointer) {
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return pointer.substr(1);
}

struct FoundFamily {
  std::string parameter;
  SweptFamily family;
};

std::optional<FoundFamily> family_of(const std::string& entry, const Members& members) {
  std::vector<Json> settings;
  for (const ArmResult* arm : members) settings.push_back(arm->config.flatten());
  const std::optional<std::string> pointer = differing_setting(settings);
  if (!pointer) return std::nullopt;
  SweptFamily family{entry, {}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Json value = settings[i].value(*pointer, Json());
    if (!value.is_number()) return std::nullopt;
    family.arms.push_back({value.get<double>(), members[i]});
  }
  const auto by_value = [](const SweptArm& a, const SweptArm& b) { return a.value < b.value; };
  std::sort(family.arms.begin(), family.arms.end(), by_value);
  return FoundFamily{dotted(*pointer), std::move(family)};
}

}  // namespace

std::vector<NumberSweep> number_sweeps(const Analysis& analysis) {
  std::vector<NumberSweep> sweeps;
  for (const auto& [entry, members] : swept_entries(analysis)) {
    std::optional<FoundFamily> found = family_of(entry, members);
    if (!found) continue;
    const auto same = [&](const NumberSweep& sweep) { return sweep.parameter == found->parameter; };
    auto sweep = std::find_if(sweeps.begin(), sweeps.end(), same);
    if (sweep == sweeps.end()) sweep = sweeps.insert(sweep, {found->parameter, {}});
    sweep->families.push_back(std::move(found->family));
  }
  return sweeps;
}

}  // namespace ablate::reports
