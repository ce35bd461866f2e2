// The quality of generated text by the entropy of its tokens.

#include <fmt/core.h>

#include "harness/base/number_text.h"
#include "reports/analysis/temperatures/entropy_areas.h"
#include "reports/figures/sweeps/sweep_panels.h"
#include "reports/findings/finding.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string with_sampler(const std::string& label, const std::string& sampler) {
  return sampler.empty() ? label : fmt::format("{}, {}", label, sampler);
}

/// A point of a curve.
struct EntropyRow {
  const EntropyCurve* curve = nullptr;
  const EntropyPoint* point = nullptr;
};

Records points_of(const Analysis& analysis, const std::vector<EntropyCurve>& curves) {
  const Fields<EntropyRow> fields = {
      {{}, "arm", "", [](const EntropyRow& row) { return row.curve->arm->name; }},
      {{}, "sampler", "", [](const EntropyRow& row) { return row.curve->sampler; }},
      {{}, "metric", "", [](const EntropyRow& row) { return row.curve->metric->name; }},
      {{}, "unit", "", [](const EntropyRow& row) { return row.curve->metric->unit; }},
      {{},
       "temperature",
       "",
       [](const EntropyRow& row) { return std::optional(row.point->temperature); }},
      {{}, "entropy", "", [](const EntropyRow& row) { return std::optional(row.point->entropy); }},
      {{}, "value,ci_low,ci_high", "", [](const EntropyRow& row) { return row.point->quality; }},
      {{}, "seeds", "", [](const EntropyRow& row) { return row.point->quality.n; }},
      {{}, "label", "", [](const EntropyRow& row) { return row.curve->arm->label; }}};
  std::vector<EntropyRow> rows;
  for (const EntropyCurve& curve : curves)
    for (const EntropyPoint& point : curve.points) rows.push_back({&curve, &point});
  return {.file = "temperatures", .csv = csv_rows(analysis.experiment, fields, rows)};
}

Fields<EntropyArea> area_fields(const std::string& unit) {
  return {{text_column("arm"), "arm", "arm", [](const EntropyArea& row) { return row.arm->name; },
           [](const EntropyArea& row) { return with_sampler(row.arm->label, row.sampler); }},
          {{}, "sampler", "sampler", &EntropyArea::sampler},
          {text_column("against"), "baseline", "baseline",
           [](const EntropyArea& row) { return row.baseline->name; },
           [](const EntropyArea& row) {
             return with_sampler(row.baseline->label, row.baseline_sampler);
           }},
          {{}, "baseline_sampler", "baseline_sampler", &EntropyArea::baseline_sampler},
          {text_column("metric"), "metric", "metric",
           [](const EntropyArea& row) { return row.metric->name; },
           [](const EntropyArea& row) { return row.metric->label; }},
          {{}, "unit", "", [](const EntropyArea& row) { return row.metric->unit; }},
          {{.title = "entropies", .unit = "nats", .numbers = true},
           "entropy_from,entropy_to",
           "entropies",
           [](const EntropyArea& row) {
             return std::optional(statistics::Interval{row.from, row.to});
           },
           [](const EntropyArea& row) {
             return fmt::format("{} to {}", significant(row.from, 3), significant(row.to, 3));
           }},
          {{}, "seeds", "", [](const EntropyArea& row) { return row.area.n; }},
          {{.title = "mean difference", .unit = unit, .numbers = true},
           "mean_difference,mean_difference_low,mean_difference_high",
           "mean_difference",
           &EntropyArea::mean_difference},
          {{.title = "area", .unit = fmt::format("nats × {}", unit), .numbers = true},
           "area,area_low,area_high",
           "area",
           &EntropyArea::area},
          {{}, "label", "", [](const EntropyArea& row) { return row.arm->label; }}};
}

Table area_table(const Group& group, const std::vector<EntropyArea>& areas) {
  Table table{.name = fmt::format("{}-entropy", group.name),
              .caption =
                  "The area between the curves by entropy: arm − baseline at equal entropy "
                  "of the drawn tokens"};
  add_rows(table, area_fields(areas.front().metric->unit), areas,
           [](const EntropyArea& area) { return area.arm->anchor; });
  table.notes = {
      "Over the entropies that both reach, paired by seed, with straight lines between the "
      "temperatures; mean ± half-width of the 95 % t-interval over seeds. The mean difference is "
      "the area over the width of that range, which differs between arms. Exploratory: intervals "
      "are not adjusted for their number."};
  if (group.name == "quality")
    table.notes.emplace_back("A loss under the judge: at equal entropy lower is better.");
  return table;
}

/// One panel for each metric that texts were measured by at several temperatures, and each set of arms
/// whose values may be compared. A line is an arm with one of its samplers.
std::vector<SweepPanel> panels_of(const std::vector<EntropyCurve>& curves) {
  std::vector<SweepPanel> panels;
  for (const EntropyCurve& curve : curves) {
    SweepLine line{.name = with_sampler(curve.arm->label, curve.sampler)};
    for (const EntropyPoint& point : curve.points)
      line.spots.push_back({point.entropy, curve.arm, point.quality});
    add_line(panels,
             {.metric = *curve.metric, .parameter = "entropy of tokens (nats)", .measured = true},
             std::move(line));
  }
  return panels;
}

}  // namespace

Finding find_entropy(const Study& study) {
  const Analysis& analysis = study.analysis;
  const std::vector<EntropyCurve> curves = entropy_curves(analysis);
  const std::vector<EntropyArea> areas = entropy_areas(curves);
  Finding finding;
  finding.records = {
      points_of(analysis, curves),
      records_of(analysis, "entropy_areas", {"entropy_areas"}, area_fields(""), areas)};
  for (const Group& group : study.groups) {
    finding.add(section_of(group),
                sweep_figure(fmt::format("entropy-{}", group.name),
                             "Quality by the entropy of the drawn tokens, which the temperature "
                             "moves: from the lowest temperature to the highest, the mean over "
                             "seeds with its 95 % t-interval as a band; dots are seeds. At one "
                             "entropy the higher quality is that of the better model or sampler; "
                             "further left, texts are sharper and more alike.",
                             panels_of(of_group(group, curves)), "entropy"));
    if (const std::vector<EntropyArea> own = of_group(group, areas); !own.empty())
      finding.add(section_of(group), area_table(group, own));
  }
  return finding;
}

}  // namespace ablate::reports
