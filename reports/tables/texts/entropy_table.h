// The areas between the curves of quality by entropy.

#pragma once

#include <string_view>
#include <vector>

#include "reports/analysis/temperatures/entropy_areas.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each area of the metrics of a group, such as "quality". Empty where there are none.
Table entropy_table(const std::vector<EntropyArea>& areas, std::string_view group);

}  // namespace ablate::reports
