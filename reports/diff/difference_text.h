// The differences between two results folders for readers and for programs.

#pragma once

#include <string>

#include "harness/base/json/json.h"
#include "reports/diff/store_difference.h"

namespace ablate::reports {

/// The names of the two folders that were compared.
struct ComparedFolders {
  std::string first, second;
};

/// What differs, section by section, in Markdown for a terminal. Lists of more than 40 lines are
/// cut, and say so.
std::string difference_text(const ComparedFolders& folders, const StoreDifference& difference);

/// The document of `diff --json`:
///   {"first", "second", "equal", "same_numbers", "plan": [line],
///    "program" and "machine": [{"fact", "first", "second"}], "only_first", "only_second": [line],
///    "outcomes": [{"arm", "seed", "first", "second"}],
///    "trials", "values", "equal_values", "points", "equal_points" (metrics on the way), "curves", "equal_curves", "samples", "equal_samples",
///    "metrics": [{"arm", "metric", "unit", "mean", "ci", "n", "pairs", "equal", "size"}]}
/// A value that does not exist, or is not finite, is null.
Json difference_json(const ComparedFolders& folders, const StoreDifference& difference);

}  // namespace ablate::reports
