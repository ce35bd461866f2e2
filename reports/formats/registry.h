// The formats of a report, one line each. A new one is a file that offers a `Format`, and a line in
// registry.cpp.

#pragma once

#include <span>

#include "reports/formats/format.h"

namespace ablate::reports {

/// Every format, in the order in which a report is written.
std::span<const Format> formats();

}  // namespace ablate::reports
