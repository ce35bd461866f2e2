// What a reader of a paper must know about a table or a figure of results, in sentences.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "1-6", "1, 3, 5": numbers in ascending order, three or more in a row as a range.
std::string ranges(const std::vector<std::int64_t>& numbers);

/// The seeds of all trials, in ascending order.
std::vector<std::int64_t> seeds_of(const Analysis& analysis);

/// The caption of the main table: the question, the metric, seeds, interval, test, correction,
/// smallest effect, what was matched, and the commit. `plan`: the frozen plan.
std::string main_caption(const Analysis& analysis);

}  // namespace ablate::reports
