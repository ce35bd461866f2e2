// The commands that an appendix prints: what was run, and what runs it again.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The different command lines that started trials, without the folders of the machine.
std::string commands_text(const Analysis& analysis);

/// What runs the same experiment and writes the same report, in a folder where `report.zip` was unpacked: it holds
/// experiment.json and what that extends. The flags that decided what was trained are repeated.
std::string repeat_text(const Analysis& analysis);

}  // namespace ablate::reports
