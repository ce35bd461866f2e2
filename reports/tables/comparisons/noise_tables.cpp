#include "reports/tables/comparisons/noise_tables.h"

#include <fmt/format.h>

#include <map>

#include "harness/statistics/power.h"
#include "reports/analysis/comparisons/noise.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string range_text(const statistics::Interval& interval) {
  return fmt::format("{} to {}", significant(interval.low, 3), significant(interval.high, 3));
}

Table deviation_table(const Analysis& analysis, const std::vector<SeedSpread>& spreads) {
  Table table{.name = "noise"};
  table.caption = "Between seeds";
  table.columns = {{.title = "metric"},
                   {.title = "unit"},
                   {.title = "arm"},
                   {.title = "seeds", .numbers = true},
                   {.title = "mean", .numbers = true},
                   {.title = "standard deviation", .numbers = true},
                   {.title = "its 95 % interval", .numbers = true}};
  for (const SeedSpread& each : spreads) {
    if (each.paired) continue;
    const MetricRow& metric = *analysis.metric(each.metric);
    table.rows.push_back(
        {{label_cell(metric), text_cell(metric.unit), text_cell(analysis.label(each.arm)),
          text_cell(std::to_string(each.n)), text_cell(significant(each.mean)),
          text_cell(significant(each.deviation, 3)), text_cell(range_text(each.interval))},
         each.metric == analysis.primary});
  }
  return table;
}

Table paired_table(const Analysis& analysis, const std::vector<SeedSpread>& spreads) {
  Table table{.name = "noise-paired"};
  table.caption = "Differences from the baseline, paired by seed";
  table.columns = {{.title = "metric"},
                   {.title = "arm"},
                   {.title = "pairs", .numbers = true},
                   {.title = "standard deviation", .numbers = true},
                   {.title = "its 95 % interval", .numbers = true},
                   {.title = "variance ratio", .numbers = true}};
  for (const SeedSpread& each : spreads)
    if (each.paired)
      table.rows.push_back(
          {{label_cell(*analysis.metric(each.metric)), text_cell(analysis.label(each.arm)),
            text_cell(std::to_string(each.n)), text_cell(significant(each.deviation, 3)),
            text_cell(range_text(each.interval)),
            text_cell(each.variance_ratio ? significant(*each.variance_ratio, 3) : "")},
           each.metric == analysis.primary});
  if (!table.rows.empty())
    table.notes = {
        "Means of differences are left out, because looking at one is a test of it. Variance "
        "ratio: the "
        "variance "
        "of the difference without shared seeds over that with them."};
  return table;
}

/// The smallest effect in standard deviations by number of seeds.
using Effects = std::map<std::int64_t, std::optional<double>>;

Effects effects_of(const Analysis& analysis, std::int64_t comparisons) {
  const bool holm = analysis.correction == statistics::Correction::holm;
  Effects effects;
  for (const std::int64_t seeds : kSeedColumns)
    effects[seeds] =
        statistics::minimum_detectable_effect(seeds, analysis.alpha, holm ? comparisons : 1);
  return effects;
}

/// The spreads of differences whose effects are shown: those that were measured, or of an arm that was
/// measured alone, that of a difference as if seeds shared nothing.
std::vector<SeedSpread> spreads_of_differences(const Analysis& analysis,
                                               const std::vector<SeedSpread>& spreads) {
  const bool alone = analysis.arms_with_records().size() == 1;
  std::vector<SeedSpread> all;
  for (const SeedSpread& each : spreads) {
    if (analysis.metric(each.metric)->better == Better::neither) continue;
    if (each.paired) all.push_back(each);
    if (!alone) continue;
    if (auto independent = spread_of_difference(spreads, "", each.arm, each.metric))
      all.push_back(std::move(*independent));
  }
  return all;
}

Table effects_table(const Analysis& analysis, const std::vector<SeedSpread>& spreads,
                    std::int64_t comparisons) {
  Table table{.name = "noise-effects"};
  table.caption = "The smallest effect that n seeds can find";
  table.columns = {{.title = "metric"}, {.title = "arm"}};
  const Effects effects = effects_of(analysis, comparisons);
  for (const auto& [seeds, effect] : effects)
    table.columns.push_back({.title = fmt::format("n = {}", seeds), .numbers = true});
  bool independent = false;
  for (const SeedSpread& each : spreads_of_differences(analysis, spreads)) {
    Row row{{label_cell(*analysis.metric(each.metric)),
             text_cell(analysis.label(each.arm) + (each.paired ? "" : "*"))},
            each.metric == analysis.primary};
    independent = independent || !each.paired;
    for (const auto& [seeds, effect] : effects)
      row.cells.push_back(text_cell(effect ? significant(*effect * each.deviation, 3) : "none"));
    table.rows.push_back(std::move(row));
  }
  const bool holm = comparisons > 1 && analysis.correction == statistics::Correction::holm;
  table.notes = {fmt::format(
      "In the metric's unit: found with power .8 by the sign-flip test at alpha {:g}{}.",
      analysis.alpha, holm ? fmt::format(", Holm over {} comparisons", comparisons) : "")};
  if (independent)
    table.notes.push_back(
        "* For two independent trials: sqrt(2) times the standard deviation of one arm. Pairing "
        "makes "
        "most differences vary less; measure the other arm, too: --arm.");
  return table;
}

}  // namespace

std::vector<Table> noise_tables(const Analysis& analysis, std::int64_t comparisons) {
  const std::vector<SeedSpread> spreads = spreads_of(analysis);
  std::vector<Table> tables;
  for (Table& table :
       std::vector<Table>{deviation_table(analysis, spreads), paired_table(analysis, spreads),
                          effects_table(analysis, spreads, comparisons)})
    if (!table.rows.empty()) tables.push_back(std::move(table));
  return tables;
}

Json noise_json(const Analysis& analysis, std::int64_t comparisons) {
  const std::vector<SeedSpread> spreads = spreads_of(analysis);
  Json all = Json::array(), effects = Json::array();
  for (const SeedSpread& each : spreads) {
    Json row = {{"arm", each.arm},
                {"metric", each.metric},
                {"unit", analysis.metric(each.metric)->unit},
                {"paired", each.paired},
                {"n", each.n},
                {"sd", each.deviation},
                {"ci", {each.interval.low, each.interval.high}}};
    if (!each.paired) row["mean"] = each.mean;
    if (each.variance_ratio) row["variance_ratio"] = *each.variance_ratio;
    all.push_back(std::move(row));
  }
  const Effects by_seeds = effects_of(analysis, comparisons);
  for (const SeedSpread& each : spreads_of_differences(analysis, spreads)) {
    Json seeds = Json::object();
    for (const auto& [count, effect] : by_seeds)
      seeds[std::to_string(count)] = effect ? Json(*effect * each.deviation) : Json();
    effects.push_back({{"metric", each.metric},
                       {"arm", each.arm},
                       {"paired", each.paired},
                       {"seeds", std::move(seeds)}});
  }
  return {{"experiment", analysis.experiment},
          {"alpha", analysis.alpha},
          {"correction", analysis.correction == statistics::Correction::holm ? "holm" : "none"},
          {"comparisons", comparisons},
          {"spreads", std::move(all)},
          {"effects", std::move(effects)}};
}

}  // namespace ablate::reports
