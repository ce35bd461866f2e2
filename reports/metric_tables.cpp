// Every metric of every arm, grouped by the probe that measured it.

#include <algorithm>
#include <map>

#include "harness/base/error.h"
#include "reports/tables.h"

namespace ablate {
namespace {

constexpr std::size_t kMostColumns = 5;

std::string group_of(const std::string& metric) {
  const std::size_t dot = metric.find('.');
  return dot == std::string::npos ? "other" : metric.substr(0, dot);
}

std::string title_of(const std::string& group) {
  if (group == "held_out") return "Held-out text";
  if (group == "topic") return "Classification by topic";
  if (group == "label") return "Classification";
  if (group == "generation") return "Generation";
  std::string title = group;
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

/// A name for the group that is safe in every format, and no other group's.
std::string identifier(const std::string& group, const std::vector<Group>& others) {
  std::string name;
  for (const char c : group) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  const auto taken = [&](const Group& other) { return other.name == name; };
  if (name.empty()) name = "other";
  while (std::any_of(others.begin(), others.end(), taken)) name += "-also";
  return name;
}

/// The group's metrics in tables of about equal size.
std::vector<Group> split(const Group& group) {
  const std::size_t tables = (group.metrics.size() + kMostColumns - 1) / kMostColumns;
  std::vector<Group> parts;
  for (std::size_t i = 0; i < tables; ++i) {
    const auto at = [&](std::size_t part) {
      return group.metrics.begin() +
             static_cast<std::ptrdiff_t>(part * group.metrics.size() / tables);
    };
    parts.push_back({group.name, group.title, {at(i), at(i + 1)}});
  }
  return parts;
}

Table headed(const Group& part, const std::string& kind, std::size_t index) {
  Table table{.name = join(kind, "-", index)};
  table.columns = {{.title = "arm"}};
  for (const MetricRow* metric : part.metrics) {
    table.columns.push_back({metric->name, metric->unit, metric->better, true});
  }
  return table;
}

/// "loss, accuracy: compare arms of the same objective and setting only."
std::vector<std::string> warnings_of(const Group& part) {
  std::vector<std::string> notes;
  for (const Comparable across : {Comparable::same_objective, Comparable::same_family}) {
    std::string names;
    for (const MetricRow* metric : part.metrics) {
      if (metric->comparable_across == across) names += (names.empty() ? "" : ", ") + metric->name;
    }
    if (!names.empty()) {
      notes.push_back(join(names, ": compare within the ", name_of(across), " only."));
    }
  }
  return notes;
}

void add_meanings(const Group& part, Table& table) {
  for (const MetricRow* metric : part.metrics) {
    if (!metric->meaning.empty())
      table.notes.push_back(metric->name + ": " + metric->meaning + ".");
  }
}

void note_missing(const Analysis& analysis, const Group& part, Table& table) {
  for (const MetricRow* metric : part.metrics) {
    for (const ArmResult& arm : analysis.arms) {
      const auto found = arm.metrics.find(metric->name);
      if (found == arm.metrics.end() || found->second.n == arm.completed) continue;
      table.notes.push_back(join(arm.name, ", ", metric->name, ": n = ", found->second.n, " of ",
                                 arm.completed, " completed trials; the others gave no number."));
    }
  }
}

}  // namespace

std::vector<Group> groups_of(const Analysis& analysis) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> places;  // of the groups, by what stands before the dot
  for (const MetricRow& metric : analysis.metrics) {
    const std::string group = group_of(metric.name);
    const auto [place, fresh] = places.emplace(group, groups.size());
    if (fresh) groups.push_back({identifier(group, groups), title_of(group), {}});
    groups[place->second].metrics.push_back(&metric);
  }
  return groups;
}

std::vector<Table> metric_tables(const Analysis& analysis, const Group& group) {
  std::vector<Table> tables;
  for (const Group& part : split(group)) {
    Table table = headed(part, group.name, tables.size() + 1);
    table.caption = join(group.title, ": mean ± half-width of the 95 % t-interval over seeds");
    for (const ArmResult& arm : analysis.arms) {
      Row row{.cells = {text_cell(arm.name)}};
      for (const MetricRow* metric : part.metrics) {
        const auto found = arm.metrics.find(metric->name);
        row.cells.push_back(found == arm.metrics.end() ? text_cell("")
                                                       : estimate_cell(found->second));
      }
      table.rows.push_back(std::move(row));
    }
    table.notes = warnings_of(part);
    add_meanings(part, table);
    note_missing(analysis, part, table);
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<Table> difference_tables(const Analysis& analysis, const Group& group) {
  Group compared{group.name, group.title, {}};
  for (const MetricRow* metric : group.metrics) {
    const auto of_metric = [&](const Difference& difference) {
      return difference.metric == metric->name && difference.over_seeds.mean &&
             metric->better != Better::neither;
    };
    if (std::any_of(analysis.differences.begin(), analysis.differences.end(), of_metric)) {
      compared.metrics.push_back(metric);
    }
  }
  std::vector<Table> tables;
  for (const Group& part : split(compared)) {
    Table table = headed(part, group.name + "-differences", tables.size() + 1);
    table.caption =
        join(group.title, ": difference from ", analysis.baseline()->name, ", paired by seed");
    for (const ArmResult& arm : analysis.arms) {
      if (arm.baseline) continue;
      Row row{.cells = {text_cell(arm.name)}};
      for (const MetricRow* metric : part.metrics) {
        const Difference* difference = analysis.difference(arm.name, metric->name);
        const bool there = difference != nullptr && difference->over_seeds.mean;
        row.cells.push_back(there ? estimate_cell(difference->over_seeds)
                                  : text_cell("not comparable", Tone::quiet));
      }
      table.rows.push_back(std::move(row));
    }
    table.notes = {join("Exploratory but for the primary metric, ",
                        analysis.primary.empty() ? "which was not declared" : analysis.primary,
                        ": intervals are not adjusted for their number.")};
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace ablate
