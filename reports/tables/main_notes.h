// The notes below the main table: how its numbers were tested, and what is missing.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "2 of 6 arms have no records yet: a, b." Empty where all have some.
std::string pending_note(const Analysis& analysis);

/// The notes on how to read the values and how differences were tested, which a paper's caption says.
std::vector<std::string> reading_notes(const Analysis& analysis);

/// All other notes that hold for the whole table, those of reading_notes() first.
std::vector<std::string> main_notes(const Analysis& analysis);

}  // namespace ablate::reports
