// The table of where the time of trials went.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// Where the time of each arm's completed trials went: their mean, by stage, by probe, and by what the
/// probes were doing. Without rows where no trial has completed.
Table time_table(const Analysis& analysis);

}  // namespace ablate::reports
