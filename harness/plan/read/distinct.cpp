#include "harness/plan/read/distinct.h"

#include <fmt/core.h>

#include <map>

#include "harness/base/utf8.h"
#include "harness/plan/read/arm_entry.h"

namespace ablate::plan {
namespace {

void refuse_duplicates(const Sources& sources, const std::vector<ResolvedArm>& arms,
                       Faults& faults) {
  std::map<std::string, const ResolvedArm*> names, configs;
  for (const ResolvedArm& arm : arms) {
    const Place place = sources.value_at(arm.entry + "/name");
    const auto [named, is_new] = names.emplace(arm.name, &arm);
    if (!is_new) {
      faults.add(place, fmt::format("two arms are named '{}'", arm.name),
                 "give each arm a different name");
      continue;
    }
    const auto [same, is_other] =
        configs.emplace(canonical({arm.model, arm.objective, arm.train}), &arm);
    if (!is_other)
      faults.add(place,
                 fmt::format("arms '{}' and '{}' are the same in every setting", same->second->name,
                             arm.name),
                 "keep one of the two");
  }
}

/// Refuses labels that would make two arms look the same in a report, or that are too long.
void check_labels(const Sources& sources, const std::vector<ResolvedArm>& arms, Faults& faults) {
  std::map<std::string, const ResolvedArm*> shown;
  for (const ResolvedArm& arm : arms)
    if (arm.label.empty()) shown.emplace(arm.name, &arm);
  for (const ResolvedArm& arm : arms) {
    if (arm.label.empty()) continue;
    const Place place = sources.value_at(arm.entry + "/label");
    if (characters(arm.label) > kMaxLabel)
      faults.add(place, fmt::format("the label of arm '{}' has more than {} characters: {}",
                                    arm.name, kMaxLabel, arm.label));
    const auto [other, is_new] = shown.emplace(arm.label, &arm);
    if (!is_new)
      faults.add(
          place,
          fmt::format("arms '{}' and '{}' are both shown as \"{}\"", other->second->name, arm.name,
                      arm.label),
          "in the label of a swept arm, put the short name of what is swept in braces, as in "
          "\"MLM, rate {rate}\"");
  }
}

}  // namespace

void check_distinct(const Sources& sources, const std::vector<ResolvedArm>& arms, Faults& faults) {
  refuse_duplicates(sources, arms, faults);
  check_labels(sources, arms, faults);
}

}  // namespace ablate::plan
