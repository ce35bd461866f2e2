#include "reports/tables/probes/part_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/text/latex.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Parts = std::vector<const ArmParts*>;

constexpr std::size_t kMaxGroups = 100, kMaxArmColumns = 8;  // of a table on a page

std::string named(const std::string& name) { return name.empty() ? "(none)" : name; }

// A group may have several metrics with parts (of masked arms, pseudo-log-likelihoods): each has tables.
std::string name_of(const Parts& arms) { return label_part(arms.front()->metric->name); }

const PartScore* part_of(const ArmParts& arm, const std::string& name) {
  const auto found = std::ranges::find(arm.parts, name, &PartScore::name);
  return found == arm.parts.end() ? nullptr : &*found;
}

Table fields_table(const Parts& arms) {
  Table table{.name = name_of(arms) + "-by-field",
              .caption = fmt::format("{} by field", arms.front()->metric->label),
              .columns = {{.title = "field"},
                          {.title = "arm"},
                          {.title = "items", .numbers = true},
                          {.title = "accuracy", .numbers = true},
                          {.title = "error of items", .numbers = true}}};
  for (const PartScore& field : arms.front()->parts)
    for (const ArmParts* arm : arms)
      if (const PartScore* const part = part_of(*arm, field.name))
        table.rows.push_back(
            {.cells = {text_cell(named(part->name)), text_cell(arm->arm->label),
                       text_cell(std::to_string(part->items)), estimate_cell(part->over_seeds),
                       text_cell(significant(part->item_error, 2))},
             .origin = arm->arm->anchor});
  table.notes = {
      "Accuracy: the mean over the groups of the field, then over seeds, ± the half-width of the "
      "95 "
      "% t-interval over seeds. Error of items: the standard error of drawing other items of the "
      "same groups, which the bootstrap over items estimates, in closed form; more seeds do not "
      "make it smaller."};
  return table;
}

Table groups_table(const Parts& arms) {
  Table table{.name = name_of(arms) + "-by-group",
              .caption = fmt::format("{} by group of items", arms.front()->metric->label),
              .columns = {{.title = "group"}, {.title = "items", .numbers = true}}};
  for (const ArmParts* arm : arms)
    table.columns.push_back({.title = arm->arm->label, .numbers = true});
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

std::vector<Table> part_tables(const std::vector<ArmParts>& all, const Metrics& metrics) {
  std::vector<Table> tables;
  for (const MetricRow* metric : metrics)
    for (const std::string_view by : {"field", "group"}) {
      Parts arms;
      for (const ArmParts& one : all)
        if (one.metric == metric && one.by == by) arms.push_back(&one);
      if (arms.empty()) continue;
      if (by == "field")
        tables.push_back(fields_table(arms));
      else if (arms.size() <= kMaxArmColumns && arms.front()->parts.size() <= kMaxGroups)
        tables.push_back(groups_table(arms));
    }
  return tables;
}

}  // namespace ablate::reports
