// Metrics along a setting of their probe, such as the layer or the learning rate.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/analysis/probes/setting_curves.h"
#include "reports/figures/sweeps/sweep_panels.h"
#include "reports/findings/finding.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::string_view kLayer = "layer";  // a curve along it is of the test split

/// A point of a curve.
struct SettingRow {
  const SettingCurve* curve = nullptr;
  const SettingCurvePoint* point = nullptr;
};

std::optional<std::int64_t> times_chosen(const SettingRow& row) {
  if (!most_chosen(*row.curve)) return std::nullopt;
  return std::ranges::count(row.curve->chosen, std::optional(row.point->at));
}

Records records_of(const Analysis& analysis, const std::vector<SettingCurve>& curves) {
  const Fields<SettingRow> fields = {
      {{}, "arm", "", [](const SettingRow& row) { return row.curve->arm->name; }},
      {{}, "metric", "", [](const SettingRow& row) { return row.curve->metric->name; }},
      {{}, "unit", "", [](const SettingRow& row) { return row.curve->metric->unit; }},
      {{}, "along", "", [](const SettingRow& row) { return row.curve->along; }},
      {{}, "at", "", [](const SettingRow& row) { return std::optional(row.point->at); }},
      {{}, "mean,ci_low,ci_high", "", [](const SettingRow& row) { return row.point->over_seeds; }},
      {{}, "seeds", "", [](const SettingRow& row) { return row.point->over_seeds.n; }},
      {{}, "chosen_by_seeds", "", times_chosen},
      {{}, "label", "", [](const SettingRow& row) { return row.curve->arm->label; }}};
  std::vector<SettingRow> rows;
  for (const SettingCurve& curve : curves)
    for (const SettingCurvePoint& point : curve.points) rows.push_back({&curve, &point});
  return {.file = "curves", .csv = csv_rows(analysis.experiment, fields, rows)};
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

std::string note_of(const std::string& along, bool choice) {
  if (!choice)
    return fmt::format(
        "Mean ± half-width of the 95 % t-interval over seeds. The last number of {} is all of "
        "them: the metric itself.",
        along);
  const std::string where =
      along == kLayer
          ? "Measured on the test split, mean over seeds; which layer the metric is of was chosen "
            "on the development split."
          : "Measured on the development split, mean over seeds: the metric is of the test split "
            "at the value that was best here.";
  return where +
         " Chosen: the value that most seeds chose, and how many. Sensitivity: what a value drawn "
         "from those tried loses against the chosen one, ± the half-width of the 95 % t-interval "
         "over seeds.";
}

Table table_of(const std::vector<SettingCurve>& curves, const Group& group,
               const std::string& along) {
  const bool choice = std::ranges::any_of(
      curves, [](const SettingCurve& one) { return most_chosen(one).has_value(); });
  std::string name = fmt::format("{}-by-{}", group.name, along);
  std::ranges::replace(name, ' ', '-');
  Table table{.name = std::move(name),
              .caption = fmt::format("By {}", along),
              .columns = {text_column("metric"), text_column("arm")}};
  std::set<double> places;
  for (const SettingCurve& curve : curves)
    for (const SettingCurvePoint& point : curve.points) places.insert(point.at);
  for (const double at : places) table.columns.push_back(number_column(plain_number(at)));
  if (choice) {
    table.columns.push_back(text_column("chosen"));
    table.columns.push_back(number_column("sensitivity"));
  }
  for (const SettingCurve& curve : curves) table.rows.push_back(row_of(curve, places, choice));
  table.notes = {note_of(along, choice)};
  return table;
}

/// One panel for each metric that has a better direction and was measured along a setting; a line is an
/// arm with two points or more.
std::vector<SweepPanel> panels_of(const std::vector<SettingCurve>& curves) {
  std::vector<SweepPanel> panels;
  for (const SettingCurve& curve : curves) {
    SweepLine line{.name = curve.arm->label};
    for (const SettingCurvePoint& point : curve.points)
      if (point.over_seeds.mean) line.spots.push_back({point.at, curve.arm, point.over_seeds});
    if (line.spots.size() > 1 && curve.metric->better != Better::neither)
      add_line(panels, {.metric = *curve.metric, .parameter = curve.along}, std::move(line));
  }
  return panels;
}

/// A table for each setting, in the order in which they are first seen.
void add_tables(const Group& group, std::vector<SettingCurve> curves, Finding& finding) {
  while (!curves.empty()) {
    const std::string along = curves.front().along;
    const auto of_others = [&](const SettingCurve& curve) { return curve.along != along; };
    std::vector<SettingCurve> own, others;
    std::ranges::partition_copy(curves, std::back_inserter(others), std::back_inserter(own),
                                of_others);
    finding.add(section_of(group), table_of(own, group, along));
    curves = std::move(others);
  }
}

}  // namespace

Finding find_setting_curves(const Study& study) {
  const std::vector<SettingCurve> curves = setting_curves(study.analysis);
  Finding finding;
  finding.records = {records_of(study.analysis, curves)};
  for (const Group& group : study.groups) {
    const std::vector<SettingCurve> own = of_group(group, curves);
    finding.add(section_of(group),
                sweep_figure(fmt::format("along-{}", group.name),
                             "Along a setting of the probe: the line is the mean over seeds, the "
                             "band its 95 % t-interval, dots are seeds. By learning rate, what was "
                             "measured on the development split, by which one is chosen; by layer "
                             "and by training documents, the metric on the test split.",
                             panels_of(own), "along"));
    add_tables(group, own, finding);
  }
  return finding;
}

}  // namespace ablate::reports
