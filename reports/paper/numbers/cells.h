// Numbers in LaTeX, with the digits that papers give them.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A number's text as a formula without its dollars: "2.5e+12" becomes "2.5 \times 10^{12}".
std::string formula(const std::string& number);

/// "$0.73 \pm 0.03$", by paper_rounded(); the mean alone where there is no interval, "--" where
/// there is no mean.
std::string estimate_tex(const Estimate& estimate);

/// The value with the decimals of the estimate's mean: "$0.70$".
std::string aligned_tex(double value, const Estimate& estimate);

/// "$0.031$" or "$<0.001$".
std::string p_tex(double p);

}  // namespace ablate::reports
