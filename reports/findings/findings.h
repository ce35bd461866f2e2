// All findings of an experiment: computed once for all that print them.

#pragma once

#include <vector>

#include "reports/findings/finding.h"

namespace ablate::reports {

using Findings = std::vector<Finding>;

/// The findings of a study, in the order in which a section has them.
Findings findings_of(const Study& study);

/// Adds what the findings have for the section.
void add_blocks(const Findings& findings, Section& section);

}  // namespace ablate::reports
