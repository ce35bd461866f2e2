// The sections of a report that show what models write.

#pragma once

#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// Answers to prompts, what named samplers drew, and generated samples, a section for each probe that
/// stored some; a section without blocks where nothing was stored.
std::vector<Section> text_sections(const Analysis& analysis);

}  // namespace ablate::reports
