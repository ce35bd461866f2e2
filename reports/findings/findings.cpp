#include "reports/findings/findings.h"

#include <fmt/core.h>

#include <iterator>

namespace ablate::reports {
namespace {

void name_pairs(const char* name, std::vector<SweptPair>& pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].at_start.anchor = fmt::format("{}-{}-start", name, i + 1);
    pairs[i].at_end.anchor = fmt::format("{}-{}-end", name, i + 1);
  }
}

/// Gives every estimate that pages list by seed its anchor.
void name_anchors(Findings& findings) {
  for (std::size_t i = 0; i < findings.trends.size(); ++i) {
    findings.trends[i].linear.over_seeds.anchor = fmt::format("trend-{}-linear", i + 1);
    findings.trends[i].quadratic.over_seeds.anchor = fmt::format("trend-{}-quadratic", i + 1);
  }
  for (std::size_t i = 0; i < findings.similarity.size(); ++i)
    findings.similarity[i].over_seeds.anchor = fmt::format("similarity-{}", i + 1);
  name_pairs("crossing", findings.crossings);
  name_pairs("overtaking", findings.overtaking);
}

}  // namespace

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
  name_anchors(findings);
  return findings;
}

}  // namespace ablate::reports
