// Logits of a network at chosen positions of documents.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/data/batches/layout.h"
#include "harness/probes/place.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// Logits of one head at `places`, from its hidden states [1, documents, time, width] of a network of
/// one lane: row-major [place, vocabulary].
std::vector<float> head_logits(train::Network& network, const at::Tensor& hidden, std::int64_t time,
                               std::span<const Place> places);

/// Logits of the first head at `places` of the rows of a batch (Place::document: the row): row-major [place,
/// vocabulary]. Requires: a network of one lane, whose context the rows fit.
std::vector<float> batch_logits(train::Network& network, const data::Batch& batch,
                                std::span<const Place> places, const std::string& device);

/// The same of documents, but the states of all their positions are computed: passes of several heads need
/// them all, and speculative decoding is timed against this.
std::vector<float> logits_at(train::Network& network,
                             std::span<const std::span<const Token>> documents, Attention attention,
                             std::span<const Place> places, const std::string& device);

}  // namespace ablate::probes
