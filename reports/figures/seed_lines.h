// The values of each seed: they show what pairing gains.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// The arms whose primary metric can be drawn by seed: those that may be compared with the baseline,
/// and the baseline. Empty below two, with more than 12 seeds, whose lines cannot be told apart, and
/// with more than 20 arms, whose names have no room.
std::vector<const ArmResult*> arms_by_seed(const Analysis& analysis);

/// The primary metric of each trial by arm; a line joins the trials of a seed, and a bar is the mean.
/// No panels where arms_by_seed() is empty.
Figure seed_lines(const Analysis& analysis);

/// The caption, which the drawing for a paper shares.
std::string seed_caption(const MetricRow& metric);

}  // namespace ablate::reports
