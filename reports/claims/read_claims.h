// Reads a file of claims.

#pragma once

#include <string>

#include "reports/claims/claim.h"

namespace ablate::reports {

/// The claims of `text`:
///   {"claims": [{"id", "claim", "source", "experiment", "metric", "expect", "scale",
///                "flags" where the experiment needs some}],
///    "untestable": [{"id", "claim", "source", "reason"}]}
/// where "expect" is one of
///   {"is": "higher" or "lower", "arm", "baseline"}
///   {"is": "higher" or "lower", "arm", "than"}: than an amount, or than another metric of the arm
///   {"is": "equal", "arm", "baseline", "margin"}
///   {"is": "rising", "falling", "inner_maximum" or "inner_minimum", "family", "along", and "minus"
///    where a family is subtracted}
/// Comments are allowed; unknown keys are not. Throws std::invalid_argument with every fault, each
/// with its line and what is accepted; `name` stands for the file.
ClaimSet read_claims(const std::string& name, const std::string& text);

}  // namespace ablate::reports
