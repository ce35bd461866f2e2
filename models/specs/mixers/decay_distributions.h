// The initial values of short convolutions and of states that decay, as Mamba-2's code draws them
// (arXiv:2405.21060, mamba2_simple).

#pragma once

#include <cmath>

#include "harness/base/rng.h"

namespace ablate::models {

/// Uniform over (-1/2, 1/2): the square root of one over the taps.
inline double draw_tap(Rng& rng) { return rng.uniform() - 0.5; }

/// The log of a rate of decay that is uniform over [1, 16).
inline double draw_rate(Rng& rng) { return std::log(1 + 15 * rng.uniform()); }

/// What softplus makes a step size of whose log is uniform over [log .001, log .1).
inline double draw_step(Rng& rng) {
  const double step = 0.001 * std::pow(100, rng.uniform());
  return step + std::log(-std::expm1(-step));
}

}  // namespace ablate::models
