// Macros for the numbers of report.json that belong to no single metric of an arm.

#pragma once

#include <string>
#include <vector>

#include "reports/paper/numbers/macros.h"

namespace ablate::reports {

/// A macro for every number of these parts of the document: tests, trends, tasks, similarity,
/// overtaking, the ledger, speed, and budgets. A name has the parts of the number's place, in which
/// an element of a list goes by what it is about ("SensitivityMlmHeldOutExcessDZ"), so that another
/// arm or metric changes no name. `prefix`: of all names. `report`: as report_json() makes it.
std::vector<Macro> section_macros(const std::string& prefix, const Json& report);

}  // namespace ablate::reports
