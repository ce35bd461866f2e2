// The figures of a report as files.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// A panel of a figure as a file: with its style on white paper, without variables, so that programs
/// that are no browsers can draw it.
std::string standalone_svg(const std::string& panel);

/// "svg": figure-NAME-1.svg and so on, a file for each panel of each figure.
Format svg_format();

}  // namespace ablate::reports
