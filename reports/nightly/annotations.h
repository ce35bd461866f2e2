// A night as annotations of a GitHub Actions run: lines of its log that GitHub shows on the run's page.

#pragma once

#include <string>

#include "harness/nightly/gate.h"

namespace ablate::reports {

/// One line a series that is not a pass, the most urgent first: "::error title=SERIES::VERDICT: REASON",
/// a warning where it is inconclusive, a notice where it is changed or better. GitHub shows ten of a
/// kind and step, so the rest of a kind is one line with their number.
/// Source: GitHub's "Workflow commands for GitHub Actions".
std::string github_annotations(const nightly::Judged& judged);

}  // namespace ablate::reports
