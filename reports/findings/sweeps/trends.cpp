// How metrics change along swept numbers: the trends that the experiment declared, and those of the
// primary metric.

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/analysis/sweeps/trends.h"
#include "reports/findings/finding.h"
#include "reports/findings/json_parts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// A contrast as CSV has it: a declared one, or a part of a trend of the primary metric.
struct ContrastRow {
  std::string family, metric, along;
  const std::vector<double>* values = nullptr;
  bool doublings = false;
  const Estimate* over_seeds = nullptr;
  std::int64_t degree = 1;
  std::optional<double> p, p_adjusted;
  std::string verdict;
};

std::vector<ContrastRow> rows_of(const Analysis& analysis, const std::vector<Trend>& trends) {
  std::vector<ContrastRow> rows;
  for (const TrendContrast& one : analysis.declared_trends)
    rows.push_back({one.family, one.metric, one.along, &one.values, one.doublings, &one.over_seeds,
                    static_cast<std::int64_t>(one.degree), one.p, one.p_adjusted,
                    trend_verdict(analysis, one)});
  for (const Trend& trend : trends)
    for (const auto& [degree, contrast] : {std::pair{1, &trend.linear}, {2, &trend.quadratic}})
      if (!contrast->declared)
        rows.push_back({trend.family, analysis.primary, trend.parameter, &trend.values,
                        trend.doublings, &contrast->over_seeds, degree, contrast->p, std::nullopt,
                        "exploratory"});
  return rows;
}

std::string per(bool doublings) { return doublings ? "doubling" : "unit"; }

Fields<ContrastRow> contrast_fields() {
  const auto end = [](bool last) {
    return [last](const ContrastRow& row) {
      const std::vector<double>& values = *row.values;
      return values.empty() ? std::nullopt : std::optional(last ? values.back() : values.front());
    };
  };
  return {{{}, "family", "", &ContrastRow::family},
          {{}, "metric", "", &ContrastRow::metric},
          {{}, "parameter", "", &ContrastRow::along},
          {{}, "swept_values", "", [](const ContrastRow& row) { return std::ssize(*row.values); }},
          {{}, "swept_from", "", end(false)},
          {{}, "swept_to", "", end(true)},
          {{}, "per", "", [](const ContrastRow& row) { return per(row.doublings); }},
          {{}, "seeds", "", [](const ContrastRow& row) { return row.over_seeds->n; }},
          {{}, "degree", "", &ContrastRow::degree},
          {{}, "trend,ci_low,ci_high", "", [](const ContrastRow& row) { return *row.over_seeds; }},
          {{}, "p", "", &ContrastRow::p},
          {{}, "p_adjusted", "", &ContrastRow::p_adjusted},
          {{}, "verdict", "", &ContrastRow::verdict}};
}

std::string along(const std::string& parameter, const std::vector<double>& values) {
  return values.empty() ? parameter
                        : fmt::format("{}, {} values, {} to {}", parameter, values.size(),
                                      plain_number(values.front()), plain_number(values.back()));
}

/// A trend by itself, for report.json and pages.
Fields<TrendContrast> declared_fields(const Analysis& analysis) {
  const std::string by = sharing(analysis) > 1 ? " (Holm)" : "";
  return {
      {text_column("arms"), "", "family", &TrendContrast::family},
      {text_column("metric"), "", "metric", &TrendContrast::metric},
      {text_column("along"), "", "parameter", &TrendContrast::along,
       [](const TrendContrast& row) { return along(row.along, row.values); }},
      {text_column("shape"), "", "shape", shape_of},
      {{}, "", "swept", &TrendContrast::values},
      {text_column("per"), "", "per", [](const TrendContrast& row) { return per(row.doublings); }},
      {number_column("trend"), "", kInRow, &TrendContrast::over_seeds,
       [](const TrendContrast& row) {
         return row.p ? Value(row.over_seeds) : Value(std::string());
       }},
      {{}, "", "p", &TrendContrast::p},
      {number_column("p" + by), "", "p_adjusted", p_of(&TrendContrast::p_adjusted)},
      {text_column("verdict"), "", "verdict",
       [&](const TrendContrast& row) { return trend_verdict(analysis, row); }},
      {{}, "", "note", &TrendContrast::note}};
}

Json contrast_json(const Contrast& contrast) {
  Json json = estimate_json(contrast.over_seeds);
  json["p"] = contrast.p;
  return json;
}

Json trend_json(const Analysis& analysis, const Trend& trend) {
  return {{"parameter", trend.parameter},
          {"family", trend.family},
          {"metric", analysis.primary},
          {"swept", trend.values},
          {"per", per(trend.doublings)},
          {"linear", contrast_json(trend.linear)},
          {"quadratic", contrast_json(trend.quadratic)}};
}

/// A note on each trend that one value carries, where its interval excludes 0.
void note_carried(const std::string& what, const Estimate& seen,
                  const std::optional<CarryingValue>& carried, Table& table) {
  const bool shown = seen.interval && (seen.interval->low > 0 || seen.interval->high < 0);
  if (carried && shown)
    table.notes.push_back(fmt::format("Most of {} rests on {}.", what, carrying_phrase(*carried)));
}

Table declared_table(const Analysis& analysis) {
  Table table{.name = "declared_trends", .caption = "Declared trends"};
  add_rows(table, declared_fields(analysis), analysis.declared_trends,
           [](const TrendContrast&) { return ""; });
  for (const TrendContrast& trend : analysis.declared_trends) {
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

/// p of an exploratory contrast; that of a declared one stands in the table of those.
Cell p_cell_of(const Contrast& contrast) {
  return from(contrast.over_seeds.anchor, contrast.declared ? text_cell("declared", Tone::quiet)
                                                            : text_cell(p_text(contrast.p)));
}

Table trend_table(const Analysis& analysis, const std::vector<Trend>& trends) {
  Table table{.name = "trends",
              .caption = fmt::format("The trend of {} along what is swept",
                                     analysis.metric_label(analysis.primary)),
              .columns = {text_column("arms"), text_column("along"), text_column("per"),
                          number_column("linear trend"), number_column("p linear"),
                          number_column("quadratic trend"), number_column("p quadratic")}};
  for (const Trend& trend : trends)
    table.rows.push_back({{text_cell(trend.family), text_cell(along(trend.parameter, trend.values)),
                           text_cell(per(trend.doublings)), estimate_cell(trend.linear.over_seeds),
                           p_cell_of(trend.linear), estimate_cell(trend.quadratic.over_seeds),
                           p_cell_of(trend.quadratic)},
                          false});
  table.notes = {
      "Each seed has a contrast over the values swept: the least-squares slope, and the factor of "
      "the square; the table has their means with 95 % t-intervals, and p of the sign-flip test "
      "over seeds. They ask one question of all values in place of a test for each two of them. A "
      "quadratic trend above 0 is convex: the metric has a lowest place, within the range or "
      "beyond it. Along values of which the largest is more than ten times the smallest, trends "
      "are per doubling. Exploratory: p is not adjusted."};
  for (const Trend& trend : trends)
    for (const auto& [shape, contrast] :
         {std::pair{"linear", &trend.linear}, {"quadratic", &trend.quadratic}})
      if (!contrast->declared)
        note_carried(
            fmt::format("the {} trend of {} along {}", shape, trend.family, trend.parameter),
            contrast->over_seeds, contrast->carried_by, table);
  return table;
}

/// Names the rows of a page that have a trend's values, and lists them.
void add_values(const Analysis& analysis, std::vector<Trend>& trends, Finding& finding) {
  for (std::size_t i = 0; i < trends.size(); ++i)
    for (const auto& [shape, contrast] :
         {std::pair{"linear", &trends[i].linear}, {"quadratic", &trends[i].quadratic}}) {
      contrast->over_seeds.anchor = fmt::format("trend-{}-{}", i + 1, shape);
      finding.values.push_back({fmt::format("{}: {} trend of {} along {}, p {}", analysis.primary,
                                            shape, trends[i].family, trends[i].parameter,
                                            significant(contrast->p, kStoredDigits)),
                                contrast->over_seeds,
                                path_to({"trends", std::to_string(i), shape})});
    }
}

}  // namespace

Finding find_trends(const Study& study) {
  const Analysis& analysis = study.analysis;
  std::vector<Trend> trends = trends_of(analysis);
  Finding finding;
  add_values(analysis, trends, finding);
  finding.records = {
      {.file = "trends",
       .csv = csv_rows(analysis.experiment, contrast_fields(), rows_of(analysis, trends))},
      {.path = {"declared_trends"},
       .json = json_rows(declared_fields(analysis), analysis.declared_trends)},
      {.path = {"trends"},
       .json = array_of(trends, [&](const Trend& trend) { return trend_json(analysis, trend); })}};
  finding.add("result", declared_table(analysis));
  finding.add("result", trend_table(analysis, trends));
  return finding;
}

}  // namespace ablate::reports
