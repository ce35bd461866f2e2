#include "reports/web/origin_tables.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "reports/analysis/answer/statement.h"
#include "reports/analysis/budgets/rankings.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/tuning/tuning_record.h"
#include "reports/tables/record_tables.h"
#include "reports/text/number.h"
#include "reports/web/value_tables.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMostValuesInACell = 200;

Cell optional_cell(const std::optional<double>& value) {
  return text_cell(value ? significant(*value, kStoredDigits) : "");
}

/// "0.1, 0.2, –": one for each seed.
std::string by_seed(const Estimate& estimate) {
  if (estimate.values.size() > kMostValuesInACell) return "in report.json (--format json)";
  std::vector<std::string> values;
  for (const auto& value : estimate.values)
    values.push_back(value ? significant(*value, kStoredDigits) : "–");
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string test_of(const Analysis& analysis, const Difference& difference) {
  if (!difference.p) return "none";
  const bool holm = difference.primary && analysis.correction == statistics::Correction::holm;
  return fmt::format(
      "{} over {}{}", test_name(analysis), counted(difference.over_seeds.n, "pair"),
      holm           ? fmt::format(", Holm over {}", counted(analysis.comparisons, "comparison"))
      : difference.q ? std::string(", q by Benjamini and Hochberg")
                     : std::string());
}

Row test_row(const Analysis& analysis, const Difference& difference) {
  const ArmResult &arm = analysis.arm(difference.arm), &baseline = *analysis.baseline();
  const Origin origin = origin_of(analysis, difference);
  Cell values;
  values.links = {{"difference", difference.over_seeds.anchor},
                  {arm.label, arm.metrics.at(difference.metric).anchor},
                  {baseline.label, baseline.metrics.at(difference.metric).anchor}};
  const bool decided = difference.primary && difference.over_seeds.n > 0;
  return {.cells = {text_cell(fmt::format("{}: {}", difference.metric, origin.label)),
                    text_cell(test_of(analysis, difference)), optional_cell(difference.p),
                    optional_cell(difference.p_adjusted), optional_cell(difference.p_equivalent),
                    optional_cell(difference.q),
                    text_cell(decided ? verdict_text(analysis, difference) : "exploratory"),
                    std::move(values), text_cell(origin.path)},
          .anchor = origin.anchor};
}

/// A number derived from values by seed.
Row derived_row(std::string label, const Estimate& estimate, std::string path) {
  const std::string interval =
      estimate.interval
          ? fmt::format("{} to {}", significant(estimate.interval->low, kStoredDigits),
                        significant(estimate.interval->high, kStoredDigits))
          : "";
  return {.cells = {text_cell(std::move(label)), text_cell(std::to_string(estimate.n)),
                    optional_cell(estimate.mean), text_cell(interval), text_cell(by_seed(estimate)),
                    text_cell(std::move(path))},
          .anchor = estimate.anchor};
}

void add_rankings(const Analysis& analysis, Table& table) {
  const BudgetRankings rankings = budget_rankings(analysis);
  const std::vector<const BudgetRanking*> possible = rankings.possible();
  for (std::size_t i = 0; i < possible.size(); ++i)
    for (std::size_t k = 0; k < possible[i]->by_rank.size(); ++k) {
      const std::size_t contestant = possible[i]->by_rank[k];
      table.rows.push_back(derived_row(
          fmt::format("{}: {} at equal {}", rankings.metric->name,
                      rankings.contestants[contestant].name, possible[i]->mode->name),
          possible[i]->values[contestant],
          path_to({"budgets", "rankings", std::to_string(i), "ranks", std::to_string(k)})));
    }
}

/// The rates that each arm has tried.
void add_tuning(const Analysis& analysis, Table& table) {
  if (!analysis.plan.tuned) return;
  const TuningRecord record = tuning_record(analysis);
  for (std::size_t i = 0; i < record.arms.size(); ++i) {
    std::vector<std::string> tried;
    for (const RateTried& each : record.arms[i].tried)
      tried.push_back(fmt::format("{}: {}", significant(each.rate), by_seed(each.values)));
    table.rows.push_back(
        {.cells = {text_cell(fmt::format("{}: {} by learning rate", record.criterion.name,
                                         record.arms[i].label)),
                   text_cell(std::to_string(record.seeds)), text_cell(""), text_cell(""),
                   text_cell(fmt::format("{}", fmt::join(tried, "; "))),
                   text_cell(path_to({"tuning", "arms", std::to_string(i)}))},
         .anchor = record.arms[i].anchor});
  }
}

}  // namespace

Table tests_table(const Analysis& analysis, const std::set<std::string>& wanted, std::string name) {
  Table table{.name = std::move(name),
              .caption = "The tests behind p and verdicts",
              .columns = {{.title = "difference"},
                          {.title = "test"},
                          {.title = "p", .numbers = true},
                          {.title = "p adjusted", .numbers = true},
                          {.title = "p equivalent", .numbers = true},
                          {.title = "q", .numbers = true},
                          {.title = "verdict"},
                          {.title = "values"},
                          {.title = "report.json"}},
              .alike = false};
  if (analysis.baseline() == nullptr) return table;
  for (const Difference& difference : analysis.differences)
    if (wanted.contains(test_anchor(difference)))
      table.rows.push_back(test_row(analysis, difference));
  return table;
}

Table derived_table(const Analysis& analysis, const Findings& findings) {
  Table table{.name = "derived",
              .caption = "Numbers that follow from several arms or points, seed by seed",
              .columns = {{.title = "value"},
                          {.title = "n", .numbers = true},
                          {.title = "mean", .numbers = true},
                          {.title = "95 % t-interval"},
                          {.title = "by seed"},
                          {.title = "report.json"}},
              .alike = false};
  for (const Finding& finding : findings)
    for (const DerivedValue& value : finding.values)
      table.rows.push_back(derived_row(value.label, value.estimate, value.path));
  add_rankings(analysis, table);
  add_tuning(analysis, table);
  return table;
}

Table arms_table(const Analysis& analysis, bool listed, std::string name) {
  Table table{.name = std::move(name),
              .caption = "The trials of each arm",
              .columns = {{.title = "arm"},
                          {.title = "completed", .numbers = true},
                          {.title = "trials"},
                          {.title = "report.json"}},
              .alike = false};
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const ArmResult& arm = analysis.arms[i];
    Cell trials;
    if (names_trials(analysis))
      for (std::size_t k = 0; k < arm.trials.size(); ++k)
        trials.links.push_back(
            {fmt::format("seed {}", arm.trials[k]->seed), listed ? trial_anchor(i, k) : ""});
    else
      trials.text = "in trials_wide.csv (--format csv)";
    table.rows.push_back(
        {.cells = {text_cell(arm.label),
                   text_cell(fmt::format("{} of {}", arm.completed, arm.trials.size())),
                   std::move(trials),
                   text_cell(fmt::format("{}, {}", path_to({"arms", std::to_string(i)}),
                                         path_to({"ledger", arm.name})))},
         .anchor = arm.anchor});
  }
  return table;
}

}  // namespace ablate::reports
