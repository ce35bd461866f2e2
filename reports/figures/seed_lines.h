// The values of each seed: they show what pairing gains.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// The primary metric of each trial by arm, of those that may be compared with the baseline; a line
/// joins the trials of a seed, and a bar is the mean. No plots below two arms, with more than 12 seeds,
/// whose lines cannot be told apart, and with more than 20 arms, whose names have no room.
Figure seed_lines(const Analysis& analysis);

}  // namespace ablate::reports
