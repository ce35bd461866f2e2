// The verdicts on claims for programs.

#pragma once

#include <vector>

#include "harness/base/json/json.h"
#include "reports/claims/verdicts.h"

namespace ablate::reports {

/// The document of `claims --json`:
///   {"counts": {verdict: number}, "counts_on_text": {verdict: number},
///    "claims": [{"id", "claim", "source", "scale", "on_text_of", "experiment", "metric", "unit",
///                "comparison", "verdict", "results", "run_at", "mean", "ci", "n", "p",
///                "p_adjusted", "note", "power", "command"}],
///    "untestable": [{"id", "claim", "source", "reason"}]}
/// "counts" leaves the claims out that repeat others on text. A value that does not exist is null.
Json claims_json(const ClaimSet& set, const std::vector<JudgedClaim>& judged);

}  // namespace ablate::reports
