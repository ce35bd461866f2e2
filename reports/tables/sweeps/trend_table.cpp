#include "reports/tables/sweeps/trend_table.h"

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string along(const Trend& trend) {
  return fmt::format("{}, {} values, {} to {}", trend.parameter, trend.values.size(),
                     plain_number(trend.values.front()), plain_number(trend.values.back()));
}

Row row_of(const Trend& trend) {
  const std::string &linear = trend.linear.over_seeds.anchor,
                    &quadratic = trend.quadratic.over_seeds.anchor;
  return {
      {text_cell(trend.family), text_cell(along(trend)),
       text_cell(trend.doublings ? "doubling" : "unit"), estimate_cell(trend.linear.over_seeds),
       from(linear, text_cell(p_text(trend.linear.p))), estimate_cell(trend.quadratic.over_seeds),
       from(quadratic, text_cell(p_text(trend.quadratic.p)))},
      false};
}

}  // namespace

Table trend_table(const Analysis& analysis, const std::vector<Trend>& trends) {
  Table table{.name = "trends"};
  if (trends.empty()) return table;
  table.caption = fmt::format("The trend of {} along what is swept", analysis.primary);
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
      "quadratic trend above 0 bends upwards: the metric has a lowest place, within the range or "
      "beyond it. Along values of which the largest is more than ten times the smallest, trends "
      "are per doubling. Exploratory: p is not adjusted."};
  return table;
}

}  // namespace ablate::reports
