// Arms that share no seeds with the baseline, compared as independent trials.

#include <fmt/core.h>

#include "reports/analysis/comparisons/unpaired.h"
#include "reports/findings/finding.h"

namespace ablate::reports {
namespace {

using Unpaired = UnpairedDifference;

Fields<Unpaired> unpaired_fields(const Analysis& analysis) {
  return {{text_column("arm"), "arm", "arm", arm_of_difference<Unpaired>(analysis)},
          {{}, "metric", "metric", metric_of_difference<Unpaired>},
          {number_column("trials"), "", "",
           [](const Unpaired& row) { return fmt::format("{}, {}", row.n, row.of_baseline); }},
          {{}, "trials", "n", &Unpaired::n},
          {{}, "baseline_trials", "n_baseline", &Unpaired::of_baseline},
          {number_column("difference"), "difference,ci_low,ci_high", "", &Unpaired::means},
          {{}, "", "mean", [](const Unpaired& row) { return row.means.mean; }},
          {{}, "", "ci", [](const Unpaired& row) { return row.means.interval; }},
          {number_column("Welch p"), "p_welch", "p_welch", p_of(&Unpaired::welch_p)},
          {number_column("Mann-Whitney p"), "p_mann_whitney", "p_mann_whitney",
           p_of(&Unpaired::mann_whitney_p)},
          {number_column("Dunnett p"), "p_dunnett", "p_dunnett", p_of(&Unpaired::dunnett_p)},
          {number_column("g"), "hedges_g", "hedges_g", &Unpaired::hedges_g},
          {number_column("P(better)"), "probability_better", "probability_better",
           &Unpaired::probability_better},
          {{}, "label", "", label_of_difference<Unpaired>(analysis)}};
}

}  // namespace

Finding find_unpaired(const Study& study) {
  const Analysis& analysis = study.analysis;
  const std::vector<Unpaired> rows = unpaired_differences(analysis);
  Finding finding;
  finding.records = {
      records_of(analysis, "unpaired", {"unpaired"}, unpaired_fields(analysis), rows)};
  Table table{
      .name = "unpaired",
      .caption = fmt::format("The differences in {} of arms that share no seeds with the baseline",
                             analysis.primary)};
  add_rows(table, unpaired_fields(analysis), rows, test_of<Unpaired>);
  table.notes = {
      "Trials: of the arm and of the baseline, taken as independent. The difference of their means "
      "has Welch's 95 % interval. Welch's and Mann-Whitney's p are not adjusted; Dunnett's "
      "is, over these rows, and takes all arms to vary alike. g: Hedges' g, the difference in "
      "pooled standard deviations. P(better): the probability that a trial of the arm is better "
      "than one of the baseline, ties a half. No verdict rests on this: matched arms share seeds, "
      "and so the text and its order. Run the arms with the baseline's seeds to decide."};
  finding.add("checks", std::move(table));
  return finding;
}

}  // namespace ablate::reports
