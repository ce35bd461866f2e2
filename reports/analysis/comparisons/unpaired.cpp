#include "reports/analysis/comparisons/unpaired.h"

#include <algorithm>

#include "harness/statistics/families/dunnett.h"
#include "harness/statistics/unpaired/effect_size.h"
#include "harness/statistics/unpaired/rank_test.h"
#include "harness/statistics/unpaired/welch.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

bool lacks_pairs(const Difference& difference) {
  return difference.primary && difference.over_seeds.n < 2 &&
         difference.verdict != statistics::Verdict::incomparable;
}

UnpairedDifference compared(const Analysis& analysis, const Difference& difference,
                            const std::vector<double>& arm, const std::vector<double>& baseline) {
  UnpairedDifference result{
      .difference = &difference, .n = std::ssize(arm), .of_baseline = std::ssize(baseline)};
  result.means.n = result.n;
  result.means.mean = statistics::mean(arm) - statistics::mean(baseline);
  if (const auto test = statistics::welch_t_test(arm, baseline)) {
    result.welch_p = test->p;
    result.means.interval = statistics::welch_interval(arm, baseline);
  }
  result.mann_whitney_p = statistics::mann_whitney_p(arm, baseline);
  result.hedges_g = statistics::hedges_g(arm, baseline);
  const Better better = analysis.metric(difference.metric)->better;
  if (better != Better::neither)
    result.probability_better = better == Better::higher
                                    ? statistics::probability_of_superiority(arm, baseline)
                                    : statistics::probability_of_superiority(baseline, arm);
  return result;
}

}  // namespace

std::vector<UnpairedDifference> unpaired_differences(const Analysis& analysis) {
  std::vector<UnpairedDifference> rows;
  const ArmResult* const reference = analysis.baseline();
  if (reference == nullptr || !reference->metrics.contains(analysis.primary)) return rows;
  const std::vector<double> baseline = present_values(reference->metrics.at(analysis.primary));
  if (baseline.size() < 2) return rows;
  std::vector<std::vector<double>> samples;
  for (const Difference& difference : analysis.differences) {
    if (!lacks_pairs(difference)) continue;
    std::vector<double> arm =
        present_values(analysis.arm(difference.arm).metrics.at(difference.metric));
    if (arm.size() < 2) continue;
    rows.push_back(compared(analysis, difference, arm, baseline));
    samples.push_back(std::move(arm));
  }
  const bool spread = std::ranges::any_of(
      rows, [](const UnpairedDifference& row) { return row.welch_p.has_value(); });
  if (!spread) return rows;
  const std::vector<statistics::TTest> tests = statistics::dunnett(baseline, samples);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].dunnett_p = tests[i].p;
  return rows;
}

}  // namespace ablate::reports
