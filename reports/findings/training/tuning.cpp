// What tuning the learning rate found.

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/figures/rate_curves.h"
#include "reports/figures/sweeps/sweep_panels.h"
#include "reports/findings/finding.h"
#include "reports/tables/main_table.h"
#include "reports/tables/tuning/tuning_tables.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

const ArmResult* tuned_arm(const Analysis& analysis, const std::string& name) {
  const auto found = std::ranges::find(analysis.arms, name, &ArmResult::name);
  return found == analysis.arms.end() ? nullptr : &*found;
}

/// What the best of n rates is expected to have, by n. One panel where the criterion may be compared
/// between all arms, else one for each arm.
std::vector<SweepPanel> expected_best_panels(const TuningRecord& record, const Analysis& analysis) {
  std::vector<SweepPanel> panels;
  const bool one = record.criterion.comparable_across == Comparable::all_arms;
  for (const ArmTuning& arm : record.arms) {
    const ArmResult* const result = tuned_arm(analysis, arm.name);
    if (result == nullptr) continue;
    SweepLine line{.name = arm.label};
    for (const double best : expected_best_of(record, arm))
      line.spots.push_back(
          {static_cast<double>(line.spots.size() + 1), result, Estimate{.mean = best}});
    if (line.spots.size() < 2) continue;
    if (panels.empty() || !one)
      panels.push_back({.metric = record.criterion, .parameter = "learning rates tried"});
    panels.back().lines.push_back(std::move(line));
  }
  return panels;
}

/// The result of a tuned experiment at the baseline's learning rate.
void add_common(const TuningRecord& record, const Analysis& common, Finding& finding) {
  finding.blocks.emplace_back(
      "common-rate",
      Paragraph{fmt::format("All arms at learning rate {}, the baseline's own. The verdicts have a "
                            "family of their own, beside that of the result above.",
                            plain_number(record.common))});
  Table table = main_table(common);
  table.name = "main-common";
  table.caption =
      fmt::format("{}, at learning rate {}", table.caption, plain_number(record.common));
  finding.blocks.emplace_back("common-rate", std::move(table));
}

}  // namespace

Finding find_tuning(const Study& study) {
  Finding finding;
  if (study.common == nullptr) return finding;
  const Analysis &own = study.analysis, &common = *study.common;
  const TuningRecord record = tuning_record(own);
  const std::string criterion = arrowed(record.criterion);
  const std::string best_caption = fmt::format(
      "{} that the best of n learning rates is expected to have, by n: rates drawn with "
      "replacement from those tried. A rate at which a trial diverged counts as the loss at the "
      "beginning.",
      criterion);
  add_common(record, common, finding);
  finding.add("tuning", rate_curves(record));
  finding.blocks.emplace_back("tuning", rates_table(record));
  finding.add("tuning", sweep_figure("expected-best", best_caption,
                                     expected_best_panels(record, own), "expected-best", false));
  finding.blocks.emplace_back("tuning", expected_best_table(record));
  finding.blocks.emplace_back("tuning", tuning_ledger_table(record, own, common));
  return finding;
}

}  // namespace ablate::reports
