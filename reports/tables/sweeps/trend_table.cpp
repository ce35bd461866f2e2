#include "reports/tables/sweeps/trend_table.h"

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string along(const std::string& parameter, const std::vector<double>& values) {
  return fmt::format("{}, {} values, {} to {}", parameter, values.size(),
                     plain_number(values.front()), plain_number(values.back()));
}

/// p of an exploratory contrast; that of a declared one stands in the table of those.
Cell p_of(const Contrast& contrast) {
  return contrast.declared ? text_cell("declared", Tone::quiet) : text_cell(p_text(contrast.p));
}

Row row_of(const Analysis& analysis, const TrendContrast& trend) {
  return {{text_cell(trend.family), text_cell(trend.metric),
           text_cell(trend.values.empty() ? trend.along : along(trend.along, trend.values)),
           text_cell(shape_of(trend)), text_cell(trend.doublings ? "doubling" : "unit"),
           trend.p ? estimate_cell(trend.over_seeds) : text_cell(""), p_cell(trend.p_adjusted),
           text_cell(trend_verdict(analysis, trend))},
          false};
}

/// A note on each trend that one value carries, where its interval excludes 0.
void note_carried(const std::string& what, const Estimate& seen,
                  const std::optional<CarryingValue>& carried, Table& table) {
  const bool shown = seen.interval && (seen.interval->low > 0 || seen.interval->high < 0);
  if (carried && shown)
    table.notes.push_back(fmt::format("Most of {} rests on {}.", what, carrying_phrase(*carried)));
}

Row row_of(const Trend& trend) {
  const std::string &linear = trend.linear.over_seeds.anchor,
                    &quadratic = trend.quadratic.over_seeds.anchor;
  return {{text_cell(trend.family), text_cell(along(trend.parameter, trend.values)),
           text_cell(trend.doublings ? "doubling" : "unit"), estimate_cell(trend.linear.over_seeds),
           from(linear, p_of(trend.linear)), estimate_cell(trend.quadratic.over_seeds),
           from(quadratic, p_of(trend.quadratic))},
          false};
}

}  // namespace

Table declared_trend_table(const Analysis& analysis) {
  Table table{.name = "declared_trends"};
  if (analysis.declared_trends.empty()) return table;
  const std::string by = sharing(analysis) > 1 ? " (Holm)" : "";
  table.caption = "Declared trends";
  table.columns = {{.title = "arms"},
                   {.title = "metric"},
                   {.title = "along"},
                   {.title = "shape"},
                   {.title = "per"},
                   {.title = "trend", .numbers = true},
                   {.title = "p" + by, .numbers = true},
                   {.title = "verdict"}};
  for (const TrendContrast& trend : analysis.declared_trends) {
    table.rows.push_back(row_of(analysis, trend));
    if (!trend.note.empty())
      table.notes.push_back(fmt::format("{}, {}: {}.", trend.along, trend.metric, trend.note));
    note_carried(
        fmt::format("the {} trend of {} along {}", shape_of(trend), trend.metric, trend.along),
        trend.over_seeds, trend.carried_by, table);
  }
  table.notes.push_back(
      "The experiment declared these contrasts before the run. Each seed has one number: the "
      "least-squares slope over the values swept, or the factor of the square; p is that of the "
      "sign-flip test over seeds, in one family with the comparisons of the primary metric.");
  return table;
}

Table trend_table(const Analysis& analysis, const std::vector<Trend>& trends) {
  Table table{.name = "trends"};
  if (trends.empty()) return table;
  table.caption =
      fmt::format("The trend of {} along what is swept", analysis.metric_label(analysis.primary));
  table.columns = {{.title = "arms"},
                   {.title = "along"},
                   {.title = "per"},
                   {.title = "linear trend", .numbers = true},
                   {.title = "p linear", .numbers = true},
                   {.title = "quadratic trend", .numbers = true},
                   {.title = "p quadratic", .numbers = true}};
  for (const Trend& trend : trends) table.rows.push_back(row_of(trend));
  table.notes = {
      "Each seed has a contrast over the values swept: the least-squares slope, and the factor of "
      "the square; the table has their means with 95 % t-intervals, and p of the sign-flip test "
      "over seeds. They ask one question of all values in place of a test for each two of them. A "
      "quadratic trend above 0 is convex: the metric has a lowest place, within the range or "
      "beyond it. Along values of which the largest is more than ten times the smallest, trends "
      "are per doubling. Exploratory: p is not adjusted."};
  for (const Trend& trend : trends) {
    const auto note = [&](const char* shape, const Contrast& contrast) {
      if (!contrast.declared)
        note_carried(
            fmt::format("the {} trend of {} along {}", shape, trend.family, trend.parameter),
            contrast.over_seeds, contrast.carried_by, table);
    };
    note("linear", trend.linear);
    note("quadratic", trend.quadratic);
  }
  return table;
}

}  // namespace ablate::reports
