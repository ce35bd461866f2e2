// The answer and the main table for someone at a terminal.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// What a terminal can show.
struct Terminal {
  std::size_t columns = 100;
  bool colours = false;
};

/// The answer, then the table with aligned columns and its notes. A table that is wider than the
/// terminal is shown in parts below one another, each with the first column. Colours only repeat what
/// the text says: the best means, verdicts, notes.
std::string terminal_text(const std::vector<Statement>& answer, const Table& table,
                          const Terminal& terminal);

}  // namespace ablate::reports
