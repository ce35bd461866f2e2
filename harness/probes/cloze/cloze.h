// The cost of a passage under a model of any objective, in the format that the model was trained on:
// the scale on which objectives can be compared.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// -log P(target | what the format shows) of each question under the subject's network, in nats.
/// Requires: the subject's objective has a format, and its network the positions that it takes.
std::vector<double> cloze_costs(const Subject& subject, std::span<const Cloze> questions);

/// The cost of the scored targets of each list of examples, in nats. Requires as above.
std::vector<double> example_costs(const Subject& subject,
                                  std::vector<std::vector<Example>> questions);

/// The positions that an example takes in a row of its own.
RowShape own_row(const Example& example, const Needs& needs);

}  // namespace ablate::probes
