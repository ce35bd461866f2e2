// Fine-tuning of initial weights: the floor of every arm that starts from the same ones.

#pragma once

#include <functional>

#include "harness/probes/fine_tuning/protocol.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The result of `make`, which fine-tunes the subject's initial weights by the recipe. Computed once for
/// all arms of a seed that have the same initial weights, backbone, documents and recipe, and kept in
/// the subject's cache for this very program; where it has no cache, always computed.
FineTuned shared_floor(const Subject& subject, train::Network& initial, const Recipe& recipe,
                       const ReadSplit& read, const std::function<FineTuned()>& make);

}  // namespace ablate::probes
