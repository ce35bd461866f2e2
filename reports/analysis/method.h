// The test behind the verdicts, in words.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Sentences on the test behind the verdicts, its correction and its power.
std::string method(const Analysis& analysis);

}  // namespace ablate::reports
