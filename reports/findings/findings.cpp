#include "reports/findings/findings.h"

#include <iterator>

namespace ablate::reports {

Findings findings_of(const Analysis& analysis) {
  Findings findings{.sensitivity = sensitivity_of(analysis),
                    .unpaired = unpaired_differences(analysis),
                    .items = item_differences(analysis),
                    .similarity = layer_similarities(analysis),
                    .trends = trends_of(analysis),
                    .tasks = compare_tasks(analysis),
                    .entropy_curves = entropy_curves(analysis),
                    .entropy_areas = {},
                    .curves = setting_curves(analysis),
                    .parts = arm_parts(analysis),
                    .courses = courses_of(analysis),
                    .crossings = swept_pairs(analysis),
                    .overtaking = {}};
  findings.entropy_areas = entropy_areas(findings.entropy_curves);
  for (const Quantity quantity : kQuantities) {
    std::vector<SweptPair> pairs = training_pairs(analysis, findings.courses, quantity);
    findings.overtaking.insert(findings.overtaking.end(), std::move_iterator(pairs.begin()),
                               std::move_iterator(pairs.end()));
  }
  return findings;
}

}  // namespace ablate::reports
