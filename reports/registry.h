// The formats of a report. To add one, write a file that defines a `Format` and add a line to
// registry.cpp.

#pragma once

#include <span>

#include "reports/formats/format.h"

namespace ablate::reports {

/// Every format, in the order in which a report is written.
std::span<const Format> formats();

}  // namespace ablate::reports
