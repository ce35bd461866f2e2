// What follows from an analysis and is costly or long to derive: computed once for all that print it.

#pragma once

#include <optional>
#include <vector>

#include "reports/analysis/comparisons/item_differences.h"
#include "reports/analysis/comparisons/layer_similarity.h"
#include "reports/analysis/comparisons/sensitivity.h"
#include "reports/analysis/comparisons/unpaired.h"
#include "reports/analysis/dynamics/overtaking.h"
#include "reports/analysis/probes/arm_parts.h"
#include "reports/analysis/probes/setting_curves.h"
#include "reports/analysis/sweeps/crossings.h"
#include "reports/analysis/sweeps/trends.h"
#include "reports/analysis/tasks/task_comparison.h"
#include "reports/analysis/temperatures/entropy_areas.h"
#include "reports/analysis/temperatures/entropy_curves.h"

namespace ablate::reports {

/// Derived from one analysis, into which all of it points.
struct Findings {
  std::vector<Sensitivity> sensitivity;
  std::vector<UnpairedDifference> unpaired;
  std::vector<ItemDifference> items;
  std::vector<LayerSimilarity> similarity;
  std::vector<Trend> trends;
  std::optional<TaskComparison> tasks;
  std::vector<EntropyCurve> entropy_curves;
  std::vector<EntropyArea> entropy_areas;  // between them
  std::vector<SettingCurve> curves;        // of probes along settings of theirs
  std::vector<ArmParts> parts;             // of the items of metrics
  std::vector<Course> courses;
  std::vector<SweptPair> crossings;   // along swept numbers
  std::vector<SweptPair> overtaking;  // in training: along each quantity, in their order
};

/// The findings of an analysis.
Findings findings_of(const Analysis& analysis);
Findings findings_of(Analysis&& analysis) = delete;

}  // namespace ablate::reports
