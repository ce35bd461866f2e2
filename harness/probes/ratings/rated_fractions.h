// What fraction of the probability of an item's completions each one has. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/minimal_pairs/choice_scores.h"

namespace ablate::probes {

/// By completion, exp(-cost) over its sum over the item's completions. `costs`: of all completions,
/// in nats.
std::vector<double> fractions_of(std::span<const ChoiceItem> items, std::span<const double> costs);

/// The values of all completions but each item's last one, which follows from the others.
std::vector<double> without_last(std::span<const ChoiceItem> items, std::span<const double> values);

}  // namespace ablate::probes
