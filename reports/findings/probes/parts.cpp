// Accuracies of parts of the items of a metric: by field and by group of a file of pairs.

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/probes/arm_parts.h"
#include "reports/findings/finding.h"
#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Parts = std::vector<const ArmParts*>;

constexpr std::size_t kMaxGroups = 100, kMaxArmColumns = 8;  // of a table on a page

std::string named(const std::string& name) { return name.empty() ? "(none)" : name; }

/// A part of an arm.
struct PartRow {
  const ArmParts* arm = nullptr;
  const PartScore* part = nullptr;
};

Fields<PartRow> part_fields() {
  return {{text_column("field"), "", "", [](const PartRow& row) { return named(row.part->name); }},
          {text_column("arm"), "arm", "",
           [](const PartRow& row) {
             return ArmName{row.arm->arm->name, row.arm->arm->label};
           }},
          {{}, "metric", "", [](const PartRow& row) { return row.arm->metric->name; }},
          {{}, "by", "", [](const PartRow& row) { return row.arm->by; }},
          {{}, "part", "", [](const PartRow& row) { return row.part->name; }},
          {number_column("items"), "items", "", [](const PartRow& row) { return row.part->items; }},
          {number_column("accuracy"), "mean,ci_low,ci_high", "",
           [](const PartRow& row) { return row.part->over_seeds; }},
          {{}, "seeds", "", [](const PartRow& row) { return row.part->over_seeds.n; }},
          {number_column("error of items"), "item_error", "",
           [](const PartRow& row) { return std::optional(row.part->item_error); },
           [](const PartRow& row) { return significant(row.part->item_error, 2); }},
          {{}, "label", "", [](const PartRow& row) { return row.arm->arm->label; }}};
}

Records records_of(const Analysis& analysis, const std::vector<ArmParts>& all) {
  std::vector<PartRow> rows;
  for (const ArmParts& arm : all)
    for (const PartScore& part : arm.parts) rows.push_back({&arm, &part});
  return {.file = "parts", .csv = csv_rows(analysis.experiment, part_fields(), rows)};
}

// A group may have several metrics with parts (of masked arms, pseudo-log-likelihoods): each has tables.
std::string name_of(const Parts& arms) { return label_part(arms.front()->metric->name); }

const PartScore* part_of(const ArmParts& arm, const std::string& name) {
  const auto found = std::ranges::find(arm.parts, name, &PartScore::name);
  return found == arm.parts.end() ? nullptr : &*found;
}

Table fields_table(const Parts& arms) {
  Table table{.name = name_of(arms) + "-by-field",
              .caption = fmt::format("{} by field", arms.front()->metric->label)};
  std::vector<PartRow> rows;
  for (const PartScore& field : arms.front()->parts)
    for (const ArmParts* arm : arms)
      if (const PartScore* const part = part_of(*arm, field.name)) rows.push_back({arm, part});
  add_rows(table, part_fields(), rows, [](const PartRow& row) { return row.arm->arm->anchor; });
  table.notes = {
      "Accuracy: the mean over the groups of the field, then over seeds, ± the half-width of the "
      "95 % t-interval over seeds. Error of items: the standard error of drawing other items of "
      "the same groups, which the bootstrap over items estimates, in closed form; more seeds do "
      "not make it smaller."};
  return table;
}

Table groups_table(const Parts& arms) {
  Table table{.name = name_of(arms) + "-by-group",
              .caption = fmt::format("{} by group of items", arms.front()->metric->label),
              .columns = {text_column("group"), number_column("items")}};
  if (arms.size() > kMaxArmColumns || arms.front()->parts.size() > kMaxGroups) return table;
  for (const ArmParts* arm : arms) table.columns.push_back(number_column(arm->arm->label));
  for (const PartScore& part : arms.front()->parts) {
    Row row{{text_cell(named(part.name)), text_cell(std::to_string(part.items))}, false};
    for (const ArmParts* arm : arms) {
      const PartScore* const own = part_of(*arm, part.name);
      row.cells.push_back(
          own == nullptr || !own->over_seeds.mean
              ? text_cell("")
              : from(arm->arm->anchor, text_cell(significant(*own->over_seeds.mean, 3))));
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Means over seeds. One group has few items: read a difference with the intervals and the "
      "errors of items in parts.csv."};
  return table;
}

}  // namespace

Finding find_parts(const Study& study) {
  const std::vector<ArmParts> all = arm_parts(study.analysis);
  Finding finding;
  finding.records = {records_of(study.analysis, all)};
  for (const MetricRow& metric : study.analysis.metrics)
    for (const std::string_view by : {"field", "group"}) {
      Parts arms;
      for (const ArmParts& one : all)
        if (one.metric == &metric && one.by == by) arms.push_back(&one);
      if (!arms.empty())
        finding.add(study.section_of(metric),
                    by == "field" ? fields_table(arms) : groups_table(arms));
    }
  return finding;
}

}  // namespace ablate::reports
