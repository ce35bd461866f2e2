#include "reports/web/value_tables.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "reports/tables/metric_tables.h"
#include "reports/tables/record_tables.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Links = std::map<const store::TrialRecord*, std::string>;

/// Where the page lists each trial.
Links links_of(const Analysis& analysis) {
  Links links;
  for (std::size_t i = 0; i < analysis.arms.size(); ++i)
    for (std::size_t k = 0; k < analysis.arms[i].trials.size(); ++k)
      links.emplace(analysis.arms[i].trials[k], "#" + trial_anchor(i, k));
  return links;
}

/// The seeds of all arms, ascending.
std::set<std::int64_t> all_seeds(const Analysis& analysis) {
  std::set<std::int64_t> seeds;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) seeds.insert(trial->seed);
  return seeds;
}

std::string bounds_text(const Estimate& estimate) {
  if (!estimate.interval) return estimate.n == 1 ? "none of one value" : "";
  return fmt::format("{} to {}", significant(estimate.interval->low, kStoredDigits),
                     significant(estimate.interval->high, kStoredDigits));
}

/// A row of `estimate`, whose values are of the arm's trials. `linked`: each is that of one trial.
Row value_row(std::string label, const Estimate& estimate, const ArmResult& arm,
              const std::set<std::int64_t>& seeds, const Links* links) {
  Row row{.cells = {text_cell(std::move(label)), text_cell(std::to_string(estimate.n)),
                    text_cell(estimate.mean ? significant(*estimate.mean, kStoredDigits) : ""),
                    text_cell(bounds_text(estimate))},
          .anchor = estimate.anchor};
  if (seeds.empty()) return row;
  std::map<std::int64_t, Cell> by_seed;
  for (std::size_t i = 0; i < arm.trials.size() && i < estimate.values.size(); ++i) {
    if (!estimate.values[i]) continue;
    Cell& cell = by_seed[arm.trials[i]->seed];
    cell.text = significant(*estimate.values[i], kStoredDigits);
    const auto link = links == nullptr ? Links::const_iterator() : links->find(arm.trials[i]);
    if (links != nullptr && link != links->end()) cell.link = link->second;
  }
  for (const std::int64_t seed : seeds) row.cells.push_back(by_seed[seed]);
  return row;
}

std::string value_label(const MetricRow& metric, const std::string& what) {
  return metric.unit.empty() ? fmt::format("{}: {}", metric.name, what)
                             : fmt::format("{}: {} ({})", metric.name, what, metric.unit);
}

void add_metric(const Analysis& analysis, const MetricRow& metric,
                const std::set<std::int64_t>& seeds, const Links& links, Table& table) {
  for (const ArmResult* arm : analysis.arms_with_records()) {
    const auto found = arm->metrics.find(metric.name);
    if (found != arm->metrics.end())
      table.rows.push_back(
          value_row(value_label(metric, arm->label), found->second, *arm, seeds, &links));
  }
  for (const ArmResult* arm : analysis.arms_with_records()) {
    const Difference* difference = analysis.difference(arm->name, metric.name);
    if (difference == nullptr || !difference->over_seeds.mean ||
        difference->verdict == statistics::Verdict::incomparable)
      continue;
    const std::string what = fmt::format("{} − {}", arm->label, analysis.baseline()->label);
    table.rows.push_back(
        value_row(value_label(metric, what), difference->over_seeds, *arm, seeds, nullptr));
  }
}

}  // namespace

std::vector<Table> value_tables(const Analysis& analysis, const Analysis& trials) {
  const bool by_seed = names_trials(trials);
  const std::set<std::int64_t> seeds = by_seed ? all_seeds(analysis) : std::set<std::int64_t>();
  const Links links = links_of(trials);
  const std::string_view prefix = &analysis == &trials ? "values" : "common-values";
  std::vector<Table> tables;
  for (const Group& group : groups_of(analysis)) {
    const std::string& first = group.metrics.front()->name;
    Table table{.name = fmt::format("{}-{}", prefix, group.name),
                .caption = fmt::format(
                    "{} ({}): n, mean, 95 % t-interval over seeds{}; differences are paired by "
                    "seed",
                    group.title, first.substr(0, first.find('.')) + ".*",
                    by_seed ? ", and each seed's value, which leads to its trial"
                            : " (each seed's value is in trials_wide.csv: --format csv)"),
                .columns = {{.title = "value"},
                            {.title = "n", .numbers = true},
                            {.title = "mean", .numbers = true},
                            {.title = "95 % t-interval"}},
                .alike = false};
    for (const std::int64_t seed : seeds)
      table.columns.push_back({.title = fmt::format("seed {}", seed), .numbers = true});
    for (const MetricRow* metric : group.metrics)
      add_metric(analysis, *metric, seeds, links, table);
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace ablate::reports
