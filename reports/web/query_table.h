// The queries behind the sentences of the answer.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// The row of the sentence with this index.
std::string query_anchor(std::size_t index);

/// A row for each sentence: what it was computed from, and how to compute it again.
Table query_table(const std::vector<Statement>& answer);

}  // namespace ablate::reports
