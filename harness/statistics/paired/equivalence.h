// Equivalence: whether a difference is surely too small to matter.

#pragma once

#include <span>

namespace ablate::statistics {

/// Two one-sided t-tests: p of "the mean is not within (-margin, margin)". A small p makes "no
/// difference that matters" a finding. Source: Schuirmann 1987. Values without any spread but for
/// rounding say nothing to a t-test; where they lie within the margin, p is that of a sign test,
/// 2^-n. Requires at least two values.
double equivalence_p(std::span<const double> differences, double margin);

}  // namespace ablate::statistics
