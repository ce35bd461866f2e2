// Logits of a network at chosen positions of documents.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// A position of a document in a list.
struct Place {
  std::size_t document = 0;
  std::size_t position = 0;
};

/// Logits at `places`: row-major [place, vocabulary]. Requires: a network of one lane; documents
/// fit its context.
std::vector<float> logits_at(train::Network& network,
                             std::span<const std::span<const Token>> documents, Attention attention,
                             std::span<const Place> places, const std::string& device);

}  // namespace ablate::probes
