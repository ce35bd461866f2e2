// What each sampler makes of the same beginnings and blanks, side by side.

#pragma once

#include <vector>

#include "reports/tables/table.h"

namespace ablate::reports {

/// Whether a sample is of a named sampler of the probe "generation".
bool is_of_sampler(const store::Sample& sample);

/// A table for each beginning or blank, in the order in which they are stored: a row for each arm and
/// sampler, with what the sampler drew from the arm's first trial that has such samples. Empty where no
/// samplers were named.
std::vector<Table> sampler_tables(const Analysis& analysis);

}  // namespace ablate::reports
