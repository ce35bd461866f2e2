// Metrics along training, and where an arm overtakes the baseline on the way.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/analysis/comparisons/headline_metrics.h"
#include "reports/analysis/dynamics/courses.h"
#include "reports/analysis/dynamics/overtaking.h"
#include "reports/figures/curves/curve_axes.h"
#include "reports/figures/sweeps/sweep_panels.h"
#include "reports/findings/json_parts.h"
#include "reports/findings/sweeps/pairs.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::string_view kSection = "dynamics";
constexpr std::string_view kTokensRead = "tokens of text read";

/// A trial's value at a point.
struct MeasuredRow {
  const Course* course = nullptr;
  const CoursePoint* point = nullptr;
  std::size_t trial = 0;
};

std::vector<MeasuredRow> rows_of(const std::vector<Course>& courses) {
  std::vector<MeasuredRow> rows;
  for (const Course& course : courses)
    for (std::size_t i = 0; i < course.arm->trials.size(); ++i)
      for (const CoursePoint& point : course.points)
        if (point.at[i]) rows.push_back({&course, &point, i});
  return rows;
}

Fields<MeasuredRow> measured_fields() {
  const auto amount = [](Quantity quantity) {
    return [quantity](const MeasuredRow& row) {
      return std::optional(amount_at(*row.point->at[row.trial], quantity));
    };
  };
  Fields<MeasuredRow> fields = {
      {{}, "arm", "", [](const MeasuredRow& row) { return row.course->arm->name; }},
      {{}, "baseline", "", [](const MeasuredRow& row) { return row.course->arm->baseline; }},
      {{},
       "seed",
       "",
       [](const MeasuredRow& row) { return row.course->arm->trials[row.trial]->seed; }},
      {{},
       "trial",
       "",
       [](const MeasuredRow& row) { return row.course->arm->trials[row.trial]->id; }},
      {{}, "metric", "", [](const MeasuredRow& row) { return row.course->metric->name; }},
      {{}, "unit", "", [](const MeasuredRow& row) { return row.course->metric->unit; }},
      {{},
       "better",
       "",
       [](const MeasuredRow& row) { return std::string(name_of(row.course->metric->better)); }},
      {{}, "step", "", [](const MeasuredRow& row) { return row.point->step; }}};
  for (const Quantity quantity : kQuantities)
    fields.push_back({{}, std::string(name_of(quantity)), "", amount(quantity)});
  fields.push_back({{}, "value", "", [](const MeasuredRow& row) {
                      return row.point->over_seeds.values[row.trial];
                    }});
  fields.push_back(
      {{}, "label", "", [](const MeasuredRow& row) { return row.course->arm->label; }});
  return fields;
}

Json course_json(const Course& course) {
  Json points = Json::array();
  for (const CoursePoint& point : course.points) {
    Json& json = points.emplace_back(estimate_json(point.over_seeds));
    json["step"] = point.step;
    for (const Quantity quantity : kQuantities)
      json[std::string(name_of(quantity))] = point.mean_amount(quantity);
  }
  return {
      {"metric", course.metric->name}, {"arm", course.arm->name}, {"points", std::move(points)}};
}

/// One panel for each metric with a better direction that was measured on the way, and each set of
/// arms whose values may be compared. A line is an arm.
std::vector<SweepPanel> panels_of(const std::vector<Course>& courses) {
  std::vector<SweepPanel> panels;
  for (const Course& course : courses) {
    if (course.metric->better == Better::neither) continue;
    SweepLine line{.name = course.arm->label};
    for (const CoursePoint& point : course.points)
      line.spots.push_back(
          {point.mean_amount(Quantity::text_tokens), course.arm, point.over_seeds});
    add_line(panels, {.metric = *course.metric, .parameter = std::string(kTokensRead)},
             std::move(line));
  }
  return panels;
}

/// What charts can be drawn over; all of it was recorded with the points.
std::vector<ChartAxis> axes() {
  std::vector<ChartAxis> axes = curve_axes();
  for (ChartAxis& axis : axes) axis.note.clear();
  axes.back().note = "Seconds depend on the machine and on what else ran on it.";
  return axes;
}

/// Where a course's points stand on each of axes(); empty where no point has it.
std::vector<std::vector<double>> positions_of(const Course& course) {
  std::vector<std::vector<double>> positions;
  for (const Quantity quantity : kQuantities) {
    std::vector<double>& amounts = positions.emplace_back();
    for (const CoursePoint& point : course.points) amounts.push_back(point.mean_amount(quantity));
    const auto recorded = [](double each) { return std::isfinite(each); };
    if (std::ranges::none_of(amounts, recorded)) amounts.clear();
  }
  std::vector<double> steps;
  for (const CoursePoint& point : course.points) steps.push_back(static_cast<double>(point.step));
  positions.insert(positions.begin() + 1, std::move(steps));
  return positions;
}

/// The course that a line of a panel was made of.
const Course& course_of(const std::vector<Course>& courses, const MetricRow& metric,
                        const ArmResult* arm) {
  return *std::ranges::find_if(courses, [&](const Course& each) {
    return each.metric->name == metric.name && each.arm == arm;
  });
}

void add_plots(const Analysis& analysis, const std::vector<Course>& courses, Finding& finding) {
  const std::vector<SweepPanel> panels = panels_of(courses);
  Figure figure = sweep_figure(
      "dynamics",
      "Metrics by the tokens of text that training has read: the line is the mean over seeds, the "
      "band its 95 % t-interval, dots are seeds. The last point is the trained model.",
      panels, "dynamics");
  const std::vector<const MetricRow*> headlines = headline_metrics(analysis);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const SweepPanel& panel = panels[i];
    for (std::size_t j = 0; j < panel.lines.size(); ++j)
      figure.plots[i].lines[j].positions =
          positions_of(course_of(courses, panel.metric, panel.lines[j].spots.front().arm));
    const auto same = [&](const MetricRow* metric) { return metric->name == panel.metric.name; };
    if (std::ranges::none_of(headlines, same)) figure.plots[i].paper = {};
  }
  figure.axes = axes();
  figure.band = "95 % t-interval";
  finding.add(std::string(kSection), std::move(figure));
}

bool along_tokens(const SweptPair& pair) {
  return pair.parameter == name_of(Quantity::text_tokens);
}

Table overtaking_table(const Analysis& analysis, const std::vector<SweptPair>& pairs) {
  Table table{.name = "overtaking",
              .caption = "Which arm is ahead in training, and from where on",
              .columns = {text_column("metric"), text_column("arms"),
                          text_column("ahead at the first point"), text_column("ahead at the end"),
                          text_column("crossing in tokens of text"), text_column("95 % interval")}};
  for (const SweptPair& pair : pairs)
    if (along_tokens(pair)) table.rows.push_back(row_of(pair, analysis));
  table.notes = {
      pair_note("the points that were measured (in the logarithm of the tokens where "
                "they differ by more than a factor of 10)",
                "the numbers of tokens")};
  return table;
}

}  // namespace

Finding find_dynamics(const Study& study) {
  const Analysis& analysis = study.analysis;
  const std::vector<Course> courses = courses_of(analysis);
  std::vector<SweptPair> pairs;
  for (const Quantity quantity : kQuantities)
    std::ranges::move(training_pairs(analysis, courses, quantity), std::back_inserter(pairs));
  const PairSource source{"overtaking", {"dynamics", "overtaking"}, "dynamics"};
  Finding finding;
  add_values(source, pairs, finding);
  add_statements(
      pairs, analysis, source,
      [](const SweptPair& pair) {
        return along_tokens(pair)
                   ? fmt::format("in training after {} tokens of text", place_text(*pair.crossing))
                   : "";
      },
      finding);
  finding.records = {{"dynamics",
                      csv_rows(analysis.experiment, measured_fields(), rows_of(courses)),
                      {"dynamics", "courses"},
                      array_of(courses, course_json)},
                     records_of(analysis, "overtaking", source.path, pair_fields(), pairs)};
  finding.add(std::string(kSection), overtaking_table(analysis, pairs));
  add_plots(analysis, courses, finding);
  if (!finding.blocks.empty())
    finding.blocks.emplace(
        finding.blocks.begin(), kSection,
        Paragraph{"A point on the way is not a shorter run: there the learning rate has not yet "
                  "decayed, so a run that ends there is better than it as a rule. Points of "
                  "different arms at the same tokens of text were made alike."});
  return finding;
}

}  // namespace ablate::reports
