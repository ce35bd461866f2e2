// What stands behind numbers that are not the values of a metric: tests, derived numbers, arms.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/findings/findings.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each test among `wanted`, the anchors that a page leads to: its p, its verdict, and where
/// the values of both arms are. `name`: of the table.
Table tests_table(const Analysis& analysis, const std::set<std::string>& wanted, std::string name);

/// A row for each number that follows from differences of several arms, and for each arm's learning
/// rates: its values by seed, and its place in report.json. `plan`: with the tuning.
Table derived_table(const Analysis& analysis, const Findings& findings);

/// A row for each arm, which leads to its trials. `listed`: their rows are on the page. `name`: of the
/// table.
Table arms_table(const Analysis& analysis, bool listed, std::string name);

}  // namespace ablate::reports
