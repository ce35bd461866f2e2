// What kinds of differences the answer tells apart, and how each is said.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// What is said of arms of one kind, in the words between them and the baseline: "is better than".
struct DifferenceKind {
  std::string one, many;   // "is better", "are better"
  std::string to;          // the word before the baseline: "than"
  std::string rest = {};   // after the baseline: " within ±0.02"
  std::string aside = {};  // in brackets: "not worse by more than 0.02"
};

/// The kind of a primary difference. Requires: the baseline has values.
DifferenceKind kind_of(const Analysis& analysis, const Difference& difference);

/// Where a difference stands in a sentence on several, ascending: from the best to the worst, then
/// those without a verdict.
int place_in_answer(const Analysis& analysis, const Difference& difference);

/// Whether the arms may be compared but have no data.
bool is_without_data(const Difference& difference);

}  // namespace ablate::reports
