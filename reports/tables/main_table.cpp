#include "reports/tables/main_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "reports/analysis/answer/statement.h"
#include "reports/analysis/caveats.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/comparisons/headline_metrics.h"
#include "reports/analysis/floors.h"
#include "reports/analysis/probes/split_sizes.h"
#include "reports/tables/main_notes.h"
#include "reports/tables/missing.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "6", or "5 of 6" where a trial did not complete.
std::string completed_text(const ArmResult& arm) {
  const auto planned = static_cast<std::int64_t>(arm.trials.size());
  if (arm.completed == planned) return std::to_string(planned);
  return fmt::format("{} of {}", arm.completed, planned);
}

Tone tone_of(statistics::Verdict verdict) {
  switch (verdict) {
    case statistics::Verdict::better:
      return Tone::good;
    case statistics::Verdict::worse:
      return Tone::bad;
    case statistics::Verdict::equivalent:
      return Tone::neutral;
    default:
      break;
  }
  return Tone::quiet;
}

Cell verdict_cell(const Analysis& analysis, const Difference& difference) {
  if (difference.verdict == statistics::Verdict::incomparable)
    return text_cell("not comparable", Tone::quiet);
  if (difference.over_seeds.n == 0) return text_cell(emptiness(analysis, difference), Tone::quiet);
  if (!difference.primary)
    return text_cell(
        difference.q ? fmt::format("exploratory, q {}", p_text(*difference.q)) : "exploratory",
        Tone::quiet);
  if (analysis.none_above_floor) return text_cell(verdict_text(analysis, difference), Tone::quiet);
  std::string text = verdict_text(analysis, difference) + not_worse_text(analysis, difference);
  if (slight(analysis, difference))
    text += fmt::format(" (estimate below {})", significant(*analysis.smallest_effect));
  return text_cell(text, tone_of(difference.verdict));
}

bool adjusted(const Analysis& analysis) { return sharing(analysis) > 1; }

/// The columns of a difference: the difference, p of each test, the verdict.
std::vector<Column> difference_columns(const Analysis& analysis) {
  const std::string by = adjusted(analysis) ? " (Holm)" : "";
  std::vector<Column> columns = {{.title = "difference", .numbers = true},
                                 {.title = "p" + by, .numbers = true}};
  if (analysis.smallest_effect) columns.push_back({.title = "p equivalent" + by, .numbers = true});
  columns.push_back({.title = "verdict"});
  return columns;
}

Cell difference_cell(const Difference& difference) {
  return difference.verdict == statistics::Verdict::incomparable
             ? text_cell("")
             : estimate_cell(difference.over_seeds);
}

/// Adds the cells of difference_columns().
void add_difference(const Analysis& analysis, const Difference& difference, Row& row) {
  const bool computed = difference.over_seeds.mean.has_value();
  const std::string test = computed ? test_anchor(difference) : "";
  row.cells.push_back(difference_cell(difference));
  row.cells.push_back(from(test, p_cell(difference.p_adjusted)));
  if (analysis.smallest_effect) row.cells.push_back(from(test, p_cell(difference.p_equivalent)));
  row.cells.push_back(from(test, verdict_cell(analysis, difference)));
}

void append(std::vector<Column>& columns, std::vector<Column> more) {
  for (Column& column : more) columns.push_back(std::move(column));
}

std::string label(const ArmResult& arm) {
  return arm.baseline ? arm.label + " (baseline)" : arm.label;
}

bool all_have(const Analysis& analysis, const std::string& metric) {
  for (const ArmResult& arm : analysis.arms) {
    if (!arm.metrics.contains(metric)) return false;
  }
  return true;
}

/// What readers must know about the values of these metrics.
std::vector<std::string> notes_on(const Analysis& analysis,
                                  const std::vector<const MetricRow*>& shown) {
  std::vector<std::string> notes = split_sentences(analysis, shown);
  for (std::string& caveat : caveats_of(analysis, shown)) notes.push_back(std::move(caveat));
  for (std::string& line : samples_left_out(analysis, shown)) notes.push_back(std::move(line));
  return notes;
}

/// The estimate of an arm that has the metric.
Cell standing_cell(const ArmResult& arm, const std::string& metric,
                   const std::map<std::string, Standing>& standings) {
  const auto found = standings.find(arm.name);
  return estimate_cell(arm.metrics.at(metric),
                       found == standings.end() ? Standing::unmarked : found->second);
}

void add_metric_row(const Analysis& analysis, const MetricRow& metric, const ArmResult& arm,
                    const ArmResult& baseline, Table& table) {
  Row row;
  row.strong = metric.name == analysis.primary;
  const std::map<std::string, Standing> standing = standings(analysis, metric);
  row.cells = {label_cell(metric), text_cell(metric.unit),
               standing_cell(arm, metric.name, standing),
               standing_cell(baseline, metric.name, standing)};
  const Difference* difference = analysis.difference(arm.name, metric.name);
  const bool nothing = difference == nullptr || (metric.better == Better::neither && !row.strong);
  if (nothing) {
    row.cells.insert(row.cells.end(), difference_columns(analysis).size(), text_cell(""));
  } else {
    add_difference(analysis, *difference, row);
  }
  if (row.strong) {
    table.rows.insert(table.rows.begin(), std::move(row));
  } else {
    table.rows.push_back(std::move(row));
  }
}

/// Whether a metric is worth a line of the table by metric: it has a better direction, is the
/// primary one or is part of what that is read against. All others have tables of their own.
bool is_shown(const Analysis& analysis, const MetricRow& metric) {
  if (metric.better != Better::neither || metric.name == analysis.primary) return true;
  const MetricRow* const primary = analysis.metric(analysis.primary);
  if (primary == nullptr) return false;
  const std::vector<Bound> bounds = bounds_of(*primary);
  return std::any_of(bounds.begin(), bounds.end(), [&](const Bound& bound) {
    const std::vector<std::string> names = bound.metrics();
    return std::find(names.begin(), names.end(), metric.name) != names.end();
  });
}

Table table_by_metric(const Analysis& analysis) {
  const ArmResult& baseline = *analysis.baseline();
  const ArmResult& arm = analysis.arms[analysis.arms[0].baseline ? 1 : 0];
  Table table{.name = "main", .alike = false};
  table.columns = {{.title = "metric"},
                   {.title = "unit"},
                   {.title = arm.label, .numbers = true},
                   {.title = label(baseline), .numbers = true}};
  append(table.columns, difference_columns(analysis));
  std::vector<const MetricRow*> shown;
  for (const MetricRow& metric : analysis.metrics) {
    if (!all_have(analysis, metric.name) || !is_shown(analysis, metric)) continue;
    add_metric_row(analysis, metric, arm, baseline, table);
    shown.push_back(&metric);
  }
  table.notes = notes_on(analysis, shown);
  if (shown.size() < analysis.metrics.size())
    table.notes.push_back(
        "Floors, ceilings and metrics without a better direction are in the tables further down.");
  return table;
}

/// The standings of all arms in several metrics, by the metric's name.
using StandingsByMetric = std::map<std::string, std::map<std::string, Standing>>;

Cell metric_cell(const ArmResult& arm, const std::string& metric,
                 const StandingsByMetric& standings) {
  return arm.metrics.contains(metric) ? standing_cell(arm, metric, standings.at(metric))
                                      : text_cell("");
}

void add_primary_cells(const Analysis& analysis, const ArmResult& arm,
                       const StandingsByMetric& standings, Row& row) {
  row.cells.push_back(metric_cell(arm, analysis.primary, standings));
  const Difference* difference = analysis.difference(arm.name, analysis.primary);
  if (difference == nullptr) {
    row.cells.insert(row.cells.end(), difference_columns(analysis).size(), text_cell(""));
  } else {
    add_difference(analysis, *difference, row);
  }
}

Table table_by_arm(const Analysis& analysis) {
  Table table{.name = "main"};
  table.columns = {{.title = "arm"}, {.title = "n", .numbers = true}};
  const MetricRow* primary = analysis.metric(analysis.primary);
  if (primary != nullptr) {
    table.columns.push_back(column_of(*primary));
    append(table.columns, difference_columns(analysis));
  }
  const std::vector<const MetricRow*> shared = shared_metrics(analysis);
  StandingsByMetric standing;
  if (primary != nullptr) standing[primary->name] = standings(analysis, *primary);
  for (const MetricRow* metric : shared) {
    table.columns.push_back(column_of(*metric));
    standing[metric->name] = standings(analysis, *metric);
  }
  for (const ArmResult* arm : analysis.arms_with_records()) {
    Row row{.cells = {text_cell(label(*arm)), text_cell(completed_text(*arm))},
            .origin = arm->anchor};
    if (primary != nullptr) add_primary_cells(analysis, *arm, standing, row);
    for (const MetricRow* metric : shared)
      row.cells.push_back(metric_cell(*arm, metric->name, standing));
    table.rows.push_back(std::move(row));
  }
  std::vector<const MetricRow*> shown = shared;
  if (primary != nullptr) shown.push_back(primary);
  table.notes = notes_on(analysis, shown);
  note_blanks(analysis.arms_with_records(), shown, table.notes);
  return table;
}

}  // namespace

Table main_table(const Analysis& analysis) {
  const std::vector<const ArmResult*> arms = analysis.arms_with_records();
  const bool pair = analysis.arms.size() == 2 && arms.size() == 2 && analysis.baseline() != nullptr;
  Table table = pair ? table_by_metric(analysis) : table_by_arm(analysis);
  std::int64_t minimum = arms.empty() ? 0 : analysis.trials();
  std::int64_t maximum = 0;
  for (const ArmResult* arm : arms) {
    minimum = std::min(minimum, arm->completed);
    maximum = std::max(maximum, arm->completed);
  }
  table.caption =
      fmt::format("{}: {} per arm", analysis.experiment,
                  minimum == maximum ? counted(maximum, "completed trial")
                                     : fmt::format("{} to {} completed trials", minimum, maximum));
  if (std::string line = pending_note(analysis); !line.empty())
    table.notes.insert(table.notes.begin(), std::move(line));
  for (std::string& line : main_notes(analysis)) table.notes.push_back(std::move(line));
  return table;
}

}  // namespace ablate::reports
