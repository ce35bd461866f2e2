// Which results folders a report is made of.

#pragma once

#include "harness/store/plan/stored_plan.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// "stores": a row for each results folder. Without rows in a report of one folder.
Table stores_table(const store::StoredPlan& plan);

}  // namespace ablate::reports
