#include "reports/diff/difference_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reports/formats/markdown.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxLines = 40;  // of one list, on a terminal

/// A heading and its lines; empty where there are none.
std::string listed(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = title + ":\n";
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i)
    text += "  " + readable(lines[i]) + "\n";
  if (lines.size() > kMaxLines)
    text += fmt::format("  and {} more (--json has all)\n", lines.size() - kMaxLines);
  return text + "\n";
}

std::string values_text(const std::vector<std::string>& values) {
  return values.empty() ? "none" : fmt::format("{}", fmt::join(values, " or "));
}

std::vector<std::string> fact_lines(const std::vector<FactDifference>& facts) {
  std::vector<std::string> lines;
  lines.reserve(facts.size());
  for (const FactDifference& fact : facts)
    lines.push_back(
        fmt::format("{}: {} -> {}", fact.fact, values_text(fact.first), values_text(fact.second)));
  return lines;
}

std::vector<std::string> outcome_lines(const std::vector<OutcomeDifference>& outcomes) {
  std::vector<std::string> lines;
  lines.reserve(outcomes.size());
  for (const OutcomeDifference& each : outcomes)
    lines.push_back(
        fmt::format("{}, seed {}: {} -> {}", each.arm, each.seed, each.first, each.second));
  return lines;
}

std::string counts_line(const StoreDifference& difference) {
  const std::string points =
      difference.points == 0
          ? ""
          : fmt::format("{} of {} on the way, ", difference.equal_points, difference.points);
  return fmt::format(
      "{} in both; the same bit for bit: {} of {} values of metrics, {}{} of {} curves, samples of "
      "{} "
      "of {}.\n",
      counted(difference.trials, "trial"), difference.equal_values, difference.values, points,
      difference.equal_curves, difference.curves, difference.equal_samples,
      counted(difference.samples, "trial"));
}

Row metric_row(const MetricDifference& each) {
  const Estimate& seen = each.over_seeds;
  return {.cells = {text_cell(each.arm), text_cell(each.metric), text_cell(each.unit),
                    estimate_cell(seen), text_cell(std::to_string(seen.n)),
                    text_cell(fmt::format("{} of {}", each.equal, each.pairs))}};
}

Table metrics_table(const std::vector<MetricDifference>& metrics) {
  Table table{.name = "metrics",
              .caption =
                  "Metrics that differ: second - first, paired by seed, with half of the 95 % "
                  "interval; the largest first, as fractions of the metric's range",
              .columns = {{.title = "arm"},
                          {.title = "metric"},
                          {.title = "unit"},
                          {.title = "difference", .numbers = true},
                          {.title = "seeds", .numbers = true},
                          {.title = "the same", .numbers = true}}};
  for (std::size_t i = 0; i < std::min(metrics.size(), kMaxLines); ++i)
    table.rows.push_back(metric_row(metrics[i]));
  if (metrics.size() > kMaxLines)
    table.notes.push_back(fmt::format("And {} more (--json has all).", metrics.size() - kMaxLines));
  return table;
}

Json json_of_facts(const std::vector<FactDifference>& facts) {
  Json list = Json::array();
  for (const FactDifference& fact : facts)
    list.push_back({{"fact", fact.fact}, {"first", fact.first}, {"second", fact.second}});
  return list;
}

Json json_of_metric(const MetricDifference& each) {
  const Estimate& seen = each.over_seeds;
  Json ci;
  if (seen.interval) ci = {seen.interval->low, seen.interval->high};
  return {{"arm", each.arm},
          {"metric", each.metric},
          {"unit", each.unit},
          {"mean", seen.mean ? Json(*seen.mean) : Json()},
          {"ci", ci},
          {"n", seen.n},
          {"pairs", each.pairs},
          {"equal", each.equal},
          {"size", std::isfinite(each.size) ? Json(each.size) : Json()}};
}

}  // namespace

std::string difference_text(const ComparedFolders& folders, const StoreDifference& difference) {
  const std::string first = readable(folders.first), second = readable(folders.second);
  if (difference.equal())
    return fmt::format("{} and {} are equal.\n{}", first, second, counts_line(difference));
  std::string text = fmt::format("{} -> {}\n\n", first, second);
  text += listed("Plan", difference.plan);
  text += listed("Program", fact_lines(difference.program));
  text += listed("Machine", fact_lines(difference.machine));
  text += listed("Only in " + first, difference.only_first);
  text += listed("Only in " + second, difference.only_second);
  text += listed("Outcomes", outcome_lines(difference.outcomes));
  text += counts_line(difference);
  if (!difference.metrics.empty()) text += "\n" + to_markdown(metrics_table(difference.metrics));
  return text;
}

Json difference_json(const ComparedFolders& folders, const StoreDifference& difference) {
  Json outcomes = Json::array(), metrics = Json::array();
  for (const OutcomeDifference& each : difference.outcomes)
    outcomes.push_back(
        {{"arm", each.arm}, {"seed", each.seed}, {"first", each.first}, {"second", each.second}});
  for (const MetricDifference& each : difference.metrics) metrics.push_back(json_of_metric(each));
  return {{"first", folders.first},
          {"second", folders.second},
          {"equal", difference.equal()},
          {"same_numbers", difference.same_numbers()},
          {"plan", difference.plan},
          {"program", json_of_facts(difference.program)},
          {"machine", json_of_facts(difference.machine)},
          {"only_first", difference.only_first},
          {"only_second", difference.only_second},
          {"outcomes", outcomes},
          {"trials", difference.trials},
          {"values", difference.values},
          {"equal_values", difference.equal_values},
          {"points", difference.points},
          {"equal_points", difference.equal_points},
          {"curves", difference.curves},
          {"equal_curves", difference.equal_curves},
          {"samples", difference.samples},
          {"equal_samples", difference.equal_samples},
          {"metrics", metrics}};
}

}  // namespace ablate::reports
