// Why arms have no number of a metric.

#pragma once

#include <string>
#include <vector>

#include "reports/tables/grid.h"

namespace ablate::reports {

/// The part of a metric's name before the dot; "other" where there is none.
std::string group_of(const std::string& metric);

/// Adds to the notes why cells of a group's table are empty: the reasons of the probes, then what they
/// say nothing of, and where some trials of an arm gave no number.
void note_missing(const Arms& arms, const Metrics& metrics, std::vector<std::string>& notes);

/// The same of a table in which metrics of several groups stand side by side: each reason names its
/// metrics. Trials without a number are not counted.
void note_blanks(const Arms& arms, const Metrics& metrics, std::vector<std::string>& notes);

}  // namespace ablate::reports
