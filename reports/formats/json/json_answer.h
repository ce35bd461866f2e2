// The sentences of the answer, for programs.

#pragma once

#include <vector>

#include "harness/base/json/json.h"
#include "reports/analysis/answer/statement.h"

namespace ablate::reports {

/// [{"text", "forecast": of what was not measured,
///   "query": {"metric", "arms", "seeds", "test", "values": JSON pointers into this document,
///             "sql": gives the values from index.sqlite; null where no single index has them}}]
Json answer_json(const std::vector<Statement>& answer);

}  // namespace ablate::reports
