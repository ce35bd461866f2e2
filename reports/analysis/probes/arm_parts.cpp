#include "reports/analysis/probes/arm_parts.h"

#include <algorithm>
#include <string_view>

namespace ablate::reports {
namespace {

const store::ScoreParts* parts_in(const store::TrialRecord& trial, const std::string& metric,
                                  std::string_view by) {
  if (trial.outcome != "completed") return nullptr;
  const auto found = std::ranges::find_if(trial.parts, [&](const store::ScoreParts& parts) {
    return parts.metric == metric && parts.by == by;
  });
  return found == trial.parts.end() ? nullptr : &*found;
}

const store::ScorePart* part_in(const store::ScoreParts* parts, const std::string& name) {
  if (parts == nullptr) return nullptr;
  const auto found = std::ranges::find(parts->parts, name, &store::ScorePart::name);
  return found == parts->parts.end() ? nullptr : &*found;
}

PartScore score_of(const ArmParts& made, const std::string& name) {
  PartScore score{.name = name};
  std::vector<std::optional<double>> values;
  double seeds = 0;
  for (const store::TrialRecord* trial : made.arm->trials) {
    const store::ScorePart* const part =
        part_in(parts_in(*trial, made.metric->name, made.by), name);
    values.push_back(part == nullptr ? std::nullopt : std::optional(part->accuracy));
    if (part == nullptr) continue;
    score.items = seeds == 0 ? part->items : std::min(score.items, part->items);
    score.item_error += part->item_error;
    ++seeds;
  }
  score.item_error /= seeds;
  score.over_seeds = estimate(std::move(values));
  return score;
}

/// The names of all parts, in the order in which they are first seen.
std::vector<std::string> names_of(const ArmParts& made) {
  std::vector<std::string> names;
  for (const store::TrialRecord* trial : made.arm->trials)
    if (const store::ScoreParts* const parts = parts_in(*trial, made.metric->name, made.by))
      for (const store::ScorePart& part : parts->parts)
        if (std::ranges::find(names, part.name) == names.end()) names.push_back(part.name);
  return names;
}

}  // namespace

std::vector<ArmParts> arm_parts(const Analysis& analysis) {
  std::vector<ArmParts> all;
  for (const MetricRow& metric : analysis.metrics)
    for (const char* by : {"field", "group"})
      for (const ArmResult& arm : analysis.arms) {
        ArmParts made{&metric, &arm, by, {}};
        const std::vector<std::string> names = names_of(made);
        if (names.empty() || names == std::vector<std::string>{""}) continue;
        for (const std::string& name : names) made.parts.push_back(score_of(made, name));
        all.push_back(std::move(made));
      }
  return all;
}

}  // namespace ablate::reports
