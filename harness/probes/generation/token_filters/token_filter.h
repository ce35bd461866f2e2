// The members of the family of token filters: what may be drawn at one position. Each is a pure
// function of the model's distribution, so all of them work in every order of drawing. Without
// LibTorch.

#pragma once

#include <functional>

#include "harness/probes/generation/token_filters/draw.h"

namespace ablate::probes {

/// Leaves out tokens of a distribution. Empty: keeps all of them.
using TokenFilter = std::function<void(TokenDistribution& distribution)>;

}  // namespace ablate::probes
