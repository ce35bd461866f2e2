// The report for programs.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// The document of `report --json`:
///   {"experiment", "question",
///    "analysis": {"primary", "alpha", "correction", "comparisons", "smallest_effect"},
///    "arms": [{"name", "label", "baseline", "objective", "trials", "failed", "diverged",
///              "unfinished", "seeds",
///              "metrics": {NAME: {"mean", "ci", "n", "values", "unit", "better",
///                                 "comparable_across", "meaning", "caveat" where there is one}}}],
///    "differences": [{"arm", "metric", "mean", "ci", "n", "values", "p", "p_adjusted",
///                     "p_equivalent", "primary", "verdict", "note"}]}
/// "failed" includes the diverged trials; a value that does not exist is null.
Json to_json(const Analysis& analysis);

/// "json": report.json, the same document.
Format json_format();

}  // namespace ablate::reports
