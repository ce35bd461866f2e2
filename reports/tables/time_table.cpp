#include "reports/tables/time_table.h"

#include <fmt/core.h>

#include "reports/analysis/budgets/time_lines.h"
#include "reports/analysis/facts.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kArmsAcross = 6;  // more of them stand below each other

/// "12.3 (43 %)": seconds, and their part of the whole.
std::string time_text(double seconds, double share) {
  return fmt::format("{} ({:.0f} %)", significant(seconds, 3), 100 * share);
}

std::string title_of(const TimeLine& line) {
  if (line.of == TimeLine::Of::measuring) return "measuring: " + line.what;
  if (line.of == TimeLine::Of::activity) return "of measuring: " + line.what;
  return line.what;
}

struct TimedArms {
  std::vector<const ArmResult*> arms;
  std::vector<TimedTrials> trials;  // by arm, the completed ones
};

TimedArms timed_arms(const Analysis& analysis) {
  TimedArms timed;
  for (const ArmResult* arm : analysis.arms_with_records()) {
    TimedTrials trials;
    for (const store::TrialRecord* trial : arm->trials)
      if (trial->outcome == "completed" && !trial->time.stages.empty())
        trials.push_back(&trial->time);
    if (trials.empty()) continue;
    timed.arms.push_back(arm);
    timed.trials.push_back(std::move(trials));
  }
  return timed;
}

}  // namespace

Table time_table(const Analysis& analysis) {
  const TimedArms timed = timed_arms(analysis);
  const std::vector<TimeLine> lines = time_lines(timed.trials);
  if (lines.empty()) return {};
  const bool wide = timed.arms.size() > kArmsAcross;
  Table table{.name = "time",
              .caption =
                  "Where the time of a trial went: seconds, and their part of the whole; "
                  "mean over each arm's completed trials",
              .columns = {{.title = wide ? "arm" : "time"}},
              .alike = wide,
              .source = "`stage` and `measurement` of the journals"};
  const auto cell = [&](std::size_t line, std::size_t arm) {
    return from(timed.arms[arm]->anchor,
                text_cell(time_text(lines[line].seconds[arm], shares(lines[line], lines)[arm])));
  };
  if (wide) {
    for (const TimeLine& line : lines)
      table.columns.push_back({.title = title_of(line), .numbers = true});
    for (std::size_t arm = 0; arm < timed.arms.size(); ++arm) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(timed.arms[arm]->label)}});
      for (std::size_t line = 0; line < lines.size(); ++line) row.cells.push_back(cell(line, arm));
    }
  } else {
    for (const ArmResult* arm : timed.arms)
      table.columns.push_back({.title = arm->label, .numbers = true});
    for (std::size_t line = 0; line < lines.size(); ++line) {
      Row& row = table.rows.emplace_back(Row{.cells = {text_cell(title_of(lines[line]))}});
      for (std::size_t arm = 0; arm < timed.arms.size(); ++arm)
        row.cells.push_back(cell(line, arm));
    }
  }
  table.notes.emplace_back(
      "Of what a bank of trials did together, each has its part. On a device a forward pass counts "
      "until it was launched; the wait for it is in the rest.");
  return table;
}

}  // namespace ablate::reports
