// Every metric of every arm, grouped by the probe that measured it.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/tables/grid.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The metrics of one probe, in the plan's order.
struct Group {
  std::string name;   // a-z, digits and hyphens; unique within the report: identifies its tables
  std::string title;  // for a heading
  Metrics metrics;    // point into the analysis
};

/// All metrics, grouped by the part of their names before the dot; in the plan's order.
std::vector<Group> groups_of(const Analysis& analysis);

/// The group's metrics by arm, in the orientation that needs fewer tables.
std::vector<Table> metric_tables(const Analysis& analysis, const Group& group);

/// The differences from the baseline, laid out like the metrics; empty where nothing is compared.
std::vector<Table> difference_tables(const Analysis& analysis, const Group& group);

}  // namespace ablate::reports
