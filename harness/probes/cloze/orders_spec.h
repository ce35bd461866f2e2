// What it costs to choose in which order of its parts an arm is asked for a middle. Without LibTorch.

#pragma once

#include <cstddef>

#include "harness/contract/probe.h"

namespace ablate::probes {

/// By how many documents, at most, an order of the parts is chosen where there are several.
inline constexpr std::size_t kDocumentsDevelopment = 32;

/// The tokens that a model reads until an order is chosen, for estimates; 0 where there is one alone.
double tokens_of_orders(const ProbedArm& arm);

}  // namespace ablate::probes
