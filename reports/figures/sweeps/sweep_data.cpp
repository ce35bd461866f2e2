#include "reports/figures/sweeps/sweep_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "reports/analysis/compare.h"

namespace ablate::reports {

void add_line(std::vector<SweepPanel>& panels, const SweepPanel& empty, SweepLine line) {
  const auto shares = [&](const SweepPanel& panel) {
    return panel.metric.name == empty.metric.name && panel.parameter == empty.parameter &&
           comparable_arms(panel.metric.comparable_across, *line.spots.front().arm,
                           *panel.lines.front().spots.front().arm);
  };
  auto panel = std::ranges::find_if(panels, shares);
  if (panel == panels.end()) panel = panels.insert(panel, empty);
  panel->lines.push_back(std::move(line));
}

void name_panels(const std::string& name, std::vector<SweepPanel>& panels) {
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].id = fmt::format("{}-{}", name, i);
}

}  // namespace ablate::reports
