#include "reports/findings/finding.h"

#include <fmt/core.h>

#include <algorithm>

namespace ablate::reports {

std::string section_of(const Group& group) { return fmt::format("metrics-{}", group.name); }

std::string Study::section_of(const MetricRow& metric) const {
  const auto holds = [&](const Group& group) {
    return std::ranges::find(group.metrics, &metric) != group.metrics.end();
  };
  return reports::section_of(*std::ranges::find_if(groups, holds));
}

void Finding::add(const std::string& section, Table table) {
  if (!table.rows.empty()) blocks.emplace_back(section, std::move(table));
}

void Finding::add(const std::string& section, Figure figure) {
  if (!figure.plots.empty()) blocks.emplace_back(section, std::move(figure));
}

}  // namespace ablate::reports
