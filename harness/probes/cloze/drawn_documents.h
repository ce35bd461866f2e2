// The held-out documents that a model is asked about.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// The generator of everything that is drawn when a model is asked about held-out documents.
Rng asking_rng(const Subject& subject);

/// At most `maximum` documents of the held-out part to which cloze_fits(), drawn by the trial's seed,
/// whatever the arm: of two calls, the shorter list is the beginning of the longer one.
std::vector<std::span<const Token>> drawn_documents(const Subject& subject, std::size_t maximum,
                                                    std::size_t longest);

}  // namespace ablate::probes
