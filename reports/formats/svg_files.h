// The figures of a report as files.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "svg": figure-NAME-1.svg and so on, a file for each panel of each figure. Each carries its style
/// on white paper, without variables, so that programs that are no browsers can draw it.
Format svg_format();

}  // namespace ablate::reports
