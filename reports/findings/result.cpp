// The declared comparison.

#include <fmt/ranges.h>

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/findings/finding.h"
#include "reports/stores/stores_table.h"
#include "reports/tables/main_table.h"

namespace ablate::reports {
namespace {

/// What stands below the main table of the arms' own rates.
void add_notes(const Analysis& own, const Analysis& common, Finding& finding) {
  const auto note = [&](std::string text, bool warning = false) {
    finding.blocks.emplace_back("result", Paragraph{std::move(text), warning});
  };
  note(
      "Every arm is trained at the learning rate that was chosen for it. The section on the common "
      "rate has the same comparisons at the baseline's rate.");
  const std::vector<std::string> changes = changed_verdicts(own, common);
  note(changes.empty()
           ? "No verdict changes between each arm's own rate and the common one."
           : fmt::format("Verdicts that change between the two: {}.", fmt::join(changes, "; ")));
  const std::vector<std::string> arms = depend_on_tuning(own, common);
  if (!arms.empty())
    note(fmt::format("Depends on tuning: the difference in {} from the baseline has another sign "
                     "at the common rate than at each arm's own for {}.",
                     own.metric_label(own.primary), fmt::join(arms, ", ")),
         true);
}

}  // namespace

Finding find_result(const Study& study) {
  Finding finding;
  finding.add("result", stores_table(study.analysis.plan));
  finding.blocks.emplace_back("result", main_table(study.analysis));
  if (study.common != nullptr) add_notes(study.analysis, *study.common, finding);
  return finding;
}

}  // namespace ablate::reports
