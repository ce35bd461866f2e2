// Whole documents as batches: how probes show a model text that no objective has touched.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// The first `most` documents of a part, each from its begin token to its end token.
std::vector<std::span<const Token>> documents_of(const data::Part& part, std::size_t maximum);

/// One document a row, filled up to the longest with pad tokens; a position sees its document's
/// past, or all of its document.
data::Batch document_batch(std::span<const std::span<const Token>> documents, Attention attention);

}  // namespace ablate::probes
