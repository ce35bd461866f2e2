// CSV of what probes store beside metrics.

#pragma once

#include <string>

#include "reports/formats/format.h"

namespace ablate::reports {

/// "curves.csv": a row for each arm, metric and value of a setting that the metric was measured along.
std::string curves_csv(const Content& content);

/// "parts.csv": a row for each arm, metric and part of its items.
std::string parts_csv(const Content& content);

}  // namespace ablate::reports
