// What each arm made of the same prompts, side by side.

#pragma once

#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

/// Whether a sample is the answer to a prompt, by the probe "prompts".
bool answers_prompt(const store::Sample& sample);

/// A table for each prompt, in the order in which the first arm was asked: a row for each arm, with the
/// answer of its first trial that has one. Empty where no arm was asked.
std::vector<Table> prompt_tables(const Analysis& analysis);

}  // namespace ablate::reports
