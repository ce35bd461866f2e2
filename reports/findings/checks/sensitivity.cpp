// Whether the primary differences depend on the test: the same by others and in other units.

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/statistics/paired/sign_flip.h"
#include "reports/analysis/comparisons/sensitivity.h"
#include "reports/findings/finding.h"

namespace ablate::reports {
namespace {

Fields<Sensitivity> sensitivity_fields(const Analysis& analysis) {
  const auto over_seeds = [](const Sensitivity& row) { return row.difference->over_seeds; };
  return {
      {text_column("arm"), "arm", "arm", arm_of_difference<Sensitivity>(analysis)},
      {{}, "metric", "metric", metric_of_difference<Sensitivity>},
      {number_column("pairs"), "pairs", "n",
       [](const Sensitivity& row) { return row.difference->over_seeds.n; }},
      {number_column("difference"), "difference,t_low,t_high", "", over_seeds},
      {{}, "", "mean", [](const Sensitivity& row) { return row.difference->over_seeds.mean; }},
      {{}, "", "ci_t", [](const Sensitivity& row) { return row.difference->over_seeds.interval; }},
      {number_column("95 % BCa interval"), "bca_low,bca_high", "ci_bca", &Sensitivity::bca},
      {number_column("sign-flip p"), "p_sign_flip", "p_sign_flip",
       [](const Sensitivity& row) { return PValue{row.difference->p}; }},
      {number_column("Wilcoxon p"), "p_wilcoxon", "p_wilcoxon", p_of(&Sensitivity::wilcoxon_p)},
      {number_column("paired t p"), "p_paired_t", "p_paired_t", p_of(&Sensitivity::t_p)},
      {number_column("d_z"), "d_z", "d_z", &Sensitivity::d_z},
      {number_column("P(better)"), "probability_better", "probability_better",
       &Sensitivity::probability_better},
      {number_column("variance ratio"), "variance_ratio", "variance_ratio",
       &Sensitivity::variance_ratio},
      {{}, "label", "", label_of_difference<Sensitivity>(analysis)}};
}

std::string disagreement(const Analysis& analysis, const std::vector<Sensitivity>& all) {
  const auto can_find = [&](const Sensitivity& seen) {
    return statistics::minimum_sign_flip_p(seen.difference->over_seeds.n) < analysis.alpha;
  };
  if (std::none_of(all.begin(), all.end(), can_find))
    return fmt::format(
        "With so few pairs no p of the sign-flip test can be below {:g}, so that it says nothing "
        "whether the tests agree.",
        analysis.alpha);
  std::vector<std::string> arms;
  for (const Sensitivity& seen : all)
    if (seen.disagrees(analysis.alpha)) arms.push_back(analysis.label(seen.difference->arm));
  if (arms.empty())
    return fmt::format(
        "At alpha {:g}, before any correction, the three tests and both intervals agree on every "
        "row.",
        analysis.alpha);
  return fmt::format(
      "At alpha {:g}, before any correction, the three tests and both intervals do not all agree "
      "on {}: read it as close to the limit, or as a comparison with few seeds.",
      analysis.alpha, fmt::join(arms, ", "));
}

}  // namespace

Finding find_sensitivity(const Study& study) {
  const Analysis& analysis = study.analysis;
  const std::vector<Sensitivity> rows = sensitivity_of(analysis);
  Finding finding;
  finding.records = {
      records_of(analysis, "sensitivity", {"sensitivity"}, sensitivity_fields(analysis), rows)};
  Table table{.name = "sensitivity",
              .caption = fmt::format("The differences in {} by other tests",
                                     analysis.metric_label(analysis.primary))};
  add_rows(table, sensitivity_fields(analysis), rows, test_of<Sensitivity>);
  table.notes = {
      "The verdicts rest on the sign-flip test, adjusted, and the t-interval; no p here is "
      "adjusted. The difference has its t-interval; the BCa interval is that of the bootstrap. "
      "d_z: the difference in standard "
      "deviations of the paired difference. P(better): the fraction of seeds in which the arm is "
      "better than the baseline, ties a half. Variance ratio: the variance of the difference "
      "without shared seeds over that with them.",
      disagreement(analysis, rows)};
  if (analysis.looks)
    table.notes.push_back(
        "The sign-flip test and the t-interval count the looks; the other tests and the bootstrap "
        "do not, and find too much where one stops when they do.");
  finding.add("checks", std::move(table));
  return finding;
}

}  // namespace ablate::reports
