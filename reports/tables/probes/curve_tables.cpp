#include "reports/tables/probes/curve_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Curves = std::vector<const SettingCurve*>;

constexpr std::string_view kLayer = "layer";  // a curve along it is of the test split

std::string hyphenated(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

std::string chosen_text(const SettingCurve& curve) {
  const std::optional<Chosen> chosen = most_chosen(curve);
  return chosen
             ? fmt::format("{} ({} of {})", plain_number(chosen->value), chosen->seeds, chosen->of)
             : "";
}

/// The value of a curve at a place; blank where it has none.
Cell cell_at(const SettingCurve& curve, double at, bool choice) {
  const auto found = std::ranges::find(curve.points, at, &SettingCurvePoint::at);
  if (found == curve.points.end() || !found->over_seeds.mean) return text_cell("");
  return choice ? text_cell(significant(*found->over_seeds.mean))
                : estimate_cell(found->over_seeds);
}

Row row_of(const SettingCurve& curve, const std::set<double>& places, bool choice) {
  Row row{.cells = {text_cell(curve.metric->label), text_cell(curve.arm->label)},
          .origin = curve.arm->anchor};
  for (const double at : places) row.cells.push_back(cell_at(curve, at, choice));
  if (!choice) return row;
  row.cells.push_back(text_cell(chosen_text(curve)));
  const Estimate sensitivity = sensitivity_of(curve);
  row.cells.push_back(sensitivity.mean ? estimate_cell(sensitivity) : text_cell(""));
  return row;
}

std::vector<std::string> notes_of(const std::string& along, bool choice) {
  if (!choice)
    return {
        fmt::format("Mean ± half-width of the 95 % t-interval over seeds. The last number of {} "
                    "is all of them: the metric itself.",
                    along)};
  const std::string where =
      along == kLayer
          ? "Measured on the test split, mean over seeds; which layer the metric is of was chosen "
            "on the development split."
          : "Measured on the development split, mean over seeds: the metric is of the test split "
            "at the value that was best here.";
  return {where +
          " Chosen: the value that most seeds chose, and how many. Sensitivity: what a value drawn "
          "from those tried loses against the chosen one, ± the half-width of the 95 % t-interval "
          "over seeds."};
}

Table table_of(const Curves& curves, const std::string& group, const std::string& along) {
  const bool choice = std::ranges::any_of(
      curves, [](const SettingCurve* one) { return most_chosen(*one).has_value(); });
  Table table{.name = fmt::format("{}-by-{}", group, hyphenated(along)),
              .caption = fmt::format("By {}", along),
              .columns = {{.title = "metric"}, {.title = "arm"}}};
  std::set<double> places;
  for (const SettingCurve* curve : curves)
    for (const SettingCurvePoint& point : curve->points) places.insert(point.at);
  for (const double at : places)
    table.columns.push_back({.title = plain_number(at), .numbers = true});
  if (choice) {
    table.columns.push_back({.title = "chosen"});
    table.columns.push_back({.title = "sensitivity", .numbers = true});
  }
  for (const SettingCurve* curve : curves) table.rows.push_back(row_of(*curve, places, choice));
  table.notes = notes_of(along, choice);
  return table;
}

}  // namespace

std::vector<Table> curve_tables(const std::vector<SettingCurve>& curves, const std::string& group,
                                const Metrics& metrics) {
  std::vector<std::string> settings;  // in the order in which they are first seen
  Curves own;
  for (const SettingCurve& curve : curves) {
    if (std::ranges::find(metrics, curve.metric) == metrics.end()) continue;
    own.push_back(&curve);
    if (std::ranges::find(settings, curve.along) == settings.end()) settings.push_back(curve.along);
  }
  std::vector<Table> tables;
  for (const std::string& along : settings) {
    Curves of;
    std::ranges::copy_if(own, std::back_inserter(of),
                         [&](const SettingCurve* curve) { return curve->along == along; });
    tables.push_back(table_of(of, group, along));
  }
  return tables;
}

}  // namespace ablate::reports
