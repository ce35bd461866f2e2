// Tables of what probes measured along a setting of theirs.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/probes/setting_curves.h"
#include "reports/tables/grid.h"

namespace ablate::reports {

/// One table for each setting along which metrics of the group were measured, with a row for each
/// metric and arm: the values, and where one of them was chosen also which, and the sensitivity.
/// `group`: its name, a-z and hyphens.
std::vector<Table> curve_tables(const std::vector<SettingCurve>& curves, const std::string& group,
                                const Metrics& metrics);

}  // namespace ablate::reports
