#include "reports/tables/comparisons/sensitivity_table.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/statistics/paired/sign_flip.h"
#include "reports/analysis/answer/statement.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "-0.021 to -0.013", with the decimals of the mean beside it.
Cell interval_cell(const std::optional<statistics::Interval>& interval) {
  if (!interval) return text_cell("");
  return text_cell(fmt::format("{} to {}", rounded(interval->low, interval).mean,
                               rounded(interval->high, interval).mean));
}

Row row_of(const Analysis& analysis, const Sensitivity& seen) {
  const Difference& difference = *seen.difference;
  return {
      .cells = {text_cell(analysis.label(difference.arm)),
                text_cell(std::to_string(difference.over_seeds.n)),
                estimate_cell(difference.over_seeds), interval_cell(seen.bca), p_cell(difference.p),
                p_cell(seen.wilcoxon_p), p_cell(seen.t_p), number_cell(seen.d_z),
                number_cell(seen.probability_better), number_cell(seen.variance_ratio)},
      .origin = test_anchor(difference)};
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

Table sensitivity_table(const Analysis& analysis, const std::vector<Sensitivity>& all) {
  Table table{.name = "sensitivity"};
  if (all.empty()) return table;
  table.caption =
      fmt::format("The differences in {} by other tests", analysis.metric_label(analysis.primary));
  table.columns = {{.title = "arm"},
                   {.title = "pairs", .numbers = true},
                   {.title = "difference", .numbers = true},
                   {.title = "95 % BCa interval", .numbers = true},
                   {.title = "sign-flip p", .numbers = true},
                   {.title = "Wilcoxon p", .numbers = true},
                   {.title = "paired t p", .numbers = true},
                   {.title = "d_z", .numbers = true},
                   {.title = "P(better)", .numbers = true},
                   {.title = "variance ratio", .numbers = true}};
  for (const Sensitivity& seen : all) table.rows.push_back(row_of(analysis, seen));
  table.notes = {
      "The verdicts rest on the sign-flip test, adjusted, and the t-interval; no p here is "
      "adjusted. The difference has its t-interval; the BCa interval is that of the bootstrap. "
      "d_z: the difference in standard "
      "deviations of the paired difference. P(better): the fraction of seeds in which the arm is "
      "better than the baseline, ties a half. Variance ratio: the variance of the difference "
      "without shared seeds over that with them.",
      disagreement(analysis, all)};
  if (analysis.looks)
    table.notes.push_back(
        "The sign-flip test and the t-interval count the looks; the other tests and the bootstrap "
        "do "
        "not, and find too much where one stops when they do.");
  return table;
}

}  // namespace ablate::reports
