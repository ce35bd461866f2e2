#include "reports/tuning_sections.h"

#include <fmt/ranges.h>

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/figures/rate_curves.h"
#include "reports/figures/sweeps/tuning_panels.h"
#include "reports/tables/main_table.h"
#include "reports/tables/tuning/tuning_tables.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// The result of a tuned experiment at the baseline's learning rate.
Section common_section(const TuningRecord& record, const Analysis& common) {
  Section section{"common-rate", "Result at the common rate", {}};
  section.blocks.push_back(Paragraph{
      fmt::format("All arms at learning rate {}, the baseline's own. The verdicts have a family of "
                  "their own, beside that of the result above.",
                  plain_number(record.common))});
  Table table = main_table(common);
  table.name = "main-common";
  table.caption =
      fmt::format("{}, at learning rate {}", table.caption, plain_number(record.common));
  section.blocks.push_back(std::move(table));
  return section;
}

Section tuning_section(const TuningRecord& record, const Analysis& own, const Analysis& common) {
  Section section{"tuning", "Learning rates", {}};
  Figure curves = rate_curves(record);
  if (!curves.panels.empty()) section.blocks.push_back(std::move(curves));
  section.blocks.push_back(rates_table(record));
  section.add(expected_best_figure(record, own));
  section.blocks.push_back(expected_best_table(record));
  section.blocks.push_back(tuning_ledger_table(record, own, common));
  return section;
}

}  // namespace

std::vector<Paragraph> rates_notes(const Analysis& own, const Analysis& common) {
  std::vector<Paragraph> notes = {
      Paragraph{"Every arm is trained at the learning rate that was chosen for it. The section on "
                "the common rate has the same comparisons at the baseline's rate."}};
  const std::vector<std::string> changes = changed_verdicts(own, common);
  notes.push_back(
      {changes.empty()
           ? "No verdict changes between each arm's own rate and the common one."
           : fmt::format("Verdicts that change between the two: {}.", fmt::join(changes, "; "))});
  const std::vector<std::string> arms = depend_on_tuning(own, common);
  if (!arms.empty())
    notes.push_back(
        {fmt::format("Depends on tuning: the difference in {} from the baseline has another "
                     "sign at the common rate than at each arm's own for {}.",
                     own.metric_label(own.primary), fmt::join(arms, ", ")),
         true});
  return notes;
}

std::vector<Section> tuning_sections(const Analysis& own, const Analysis& common) {
  const TuningRecord record = tuning_record(own);
  return {common_section(record, common), tuning_section(record, own, common)};
}

}  // namespace ablate::reports
