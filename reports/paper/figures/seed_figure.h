// The values of each seed, for a paper: they show what pairing gains.

#pragma once

#include <vector>

#include "reports/paper/figures/plot.h"

namespace ablate::reports {

/// "seeds": the primary metric of each trial by arm; a line joins the trials of a seed. None with
/// more than 12 seeds, where lines cannot be told apart, or where fewer than two arms may be
/// compared.
std::vector<PaperFigure> seed_figures(const Analysis& analysis, const Venue& venue);

}  // namespace ablate::reports
