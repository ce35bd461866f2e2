#include "reports/tables/comparisons/unpaired_table.h"

#include <fmt/core.h>

#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

Table unpaired_table(const Analysis& analysis, const std::vector<UnpairedDifference>& all) {
  Table table{.name = "unpaired"};
  if (all.empty()) return table;
  table.caption = fmt::format("The differences in {} of arms that share no seeds with the baseline",
                              analysis.primary);
  table.columns = {{.title = "arm"},
                   {.title = "trials", .numbers = true},
                   {.title = "difference", .numbers = true},
                   {.title = "Welch p", .numbers = true},
                   {.title = "Mann-Whitney p", .numbers = true},
                   {.title = "Dunnett p", .numbers = true},
                   {.title = "g", .numbers = true},
                   {.title = "P(better)", .numbers = true}};
  for (const UnpairedDifference& seen : all)
    table.rows.push_back(
        {.cells = {text_cell(analysis.label(seen.difference->arm)),
                   text_cell(fmt::format("{}, {}", seen.n, seen.of_baseline)),
                   estimate_cell(seen.means), p_cell(seen.welch_p), p_cell(seen.mann_whitney_p),
                   p_cell(seen.dunnett_p), number_cell(seen.hedges_g),
                   number_cell(seen.probability_better)},
         .origin = test_anchor(*seen.difference)});
  table.notes = {
      "Trials: of the arm and of the baseline, taken as independent. The difference of their means "
      "has Welch's 95 % interval. Welch's and Mann-Whitney's p are not adjusted; Dunnett's "
      "is, over these rows, and takes all arms to vary alike. g: Hedges' g, the difference in "
      "pooled standard deviations. P(better): the probability that a trial of the arm is better "
      "than one of the baseline, ties a half. No verdict rests on this: matched arms share seeds, "
      "and so the text and its order. Run the arms with the baseline's seeds to decide."};
  return table;
}

}  // namespace ablate::reports
