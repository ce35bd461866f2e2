// Complete documents as batches: how probes give a model text that no objective has transformed.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// The first `maximum` documents of a part, each from its begin token to its end token.
std::vector<std::span<const Token>> documents_of(const data::Part& part, std::size_t maximum);

/// One document per row, padded to `time` positions, or to the longest document where that is
/// longer. Nothing is scored. `attention` says whether a position sees its document up to itself or
/// its complete document.
data::Batch document_batch(std::span<const std::span<const Token>> documents, Attention attention,
                           std::size_t time = 1);

}  // namespace ablate::probes
