// The tables of which arm overtakes which: along a swept number, and in training.

#pragma once

#include <vector>

#include "reports/analysis/answer/statement.h"
#include "reports/analysis/sweeps/crossings.h"
#include "reports/tables/table.h"

namespace ablate::reports {

/// A row for each metric of each two families that sweep over the same values of a number: who is
/// ahead at its ends, and where they cross. Of the first such number and range; without rows where
/// there is none. `pairs`: from swept_pairs().
Table crossing_table(const Analysis& analysis, const std::vector<SweptPair>& pairs);

/// "In state.accuracy, mlm overtakes clm at train.budget.tokens = 597 k (95 % interval 457 k to 696
/// k).", for each two families that cross once in the primary metric, with an interval that reaches
/// neither end: on both sides of it the difference is there. `pairs`: all of them, in order.
std::vector<Statement> overtaking(const Analysis& analysis, const std::vector<SweptPair>& pairs);

/// A row for each metric that was measured on the way and each arm but the baseline: which of the two
/// is ahead at the first point and at the end, and after how many tokens of text they cross.
/// `in_training`: from training_pairs(), along any quantities. Without rows where nothing was measured
/// on the way.
Table overtaking_table(const Analysis& analysis, const std::vector<SweptPair>& in_training);

/// "In state.accuracy, mlm overtakes clm in training after 597 k tokens of text (95 % interval
/// ...).", under the same conditions as overtaking().
std::vector<Statement> overtaking_in_training(const Analysis& analysis,
                                              const std::vector<SweptPair>& in_training);

}  // namespace ablate::reports
