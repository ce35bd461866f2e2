// The verdicts on claims for readers.

#pragma once

#include <string>
#include <vector>

#include "reports/claims/verdicts.h"

namespace ablate::reports {

/// How many claims have each verdict, and how many of those that repeat one on text: "3 reproduced, 1
/// contradicted at this scale, ...".
std::string claims_summary(const std::vector<JudgedClaim>& judged);

/// The tables in Markdown, for a terminal: a row a claim, also of those that no shipped experiment
/// can test, then the commands of those not run.
std::string claims_text(const ClaimSet& set, const std::vector<JudgedClaim>& judged);

/// The page in Markdown: what was claimed and where, every verdict, and what cannot be tested.
std::string claims_page(const ClaimSet& set, const std::vector<JudgedClaim>& judged);

}  // namespace ablate::reports
