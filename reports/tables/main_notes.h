// The notes below the main table: how its numbers were tested, and what is missing.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "2 of 6 arms have no records yet: a, b." Empty where all have some.
std::string pending_note(const Analysis& analysis);

/// All other notes that hold for the whole table.
std::vector<std::string> main_notes(const Analysis& analysis);

}  // namespace ablate::reports
