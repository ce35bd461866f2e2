// Documents and examples of a probe's own as batches: what no objective's batches hold.

#pragma once

#include <span>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// The first `maximum` documents of a part, each from its begin token to its end token.
std::vector<std::span<const Token>> documents_of(const data::Part& part, std::size_t maximum);

/// One document per row, padded to `time` positions, or to the longest document where that is
/// longer. Nothing is scored. A document's tokens stand in the order in which they are read:
/// Reading::place_of().
data::Batch document_batch(std::span<const std::span<const Token>> documents, Reading reading,
                           std::size_t time = 1);

/// The positions that an example takes in a row of its own, up to the highest that it numbers.
RowShape own_row(const Example& example, const Needs& needs);

/// One example per row, with settled weights, in rows of the largest one.
data::Batch example_batch(std::span<const Example> examples, const Needs& needs);

/// The same for each lane of a bank, in rows of one shape.
std::vector<data::Batch> example_batches(std::span<const std::vector<Example>> lanes,
                                         const Needs& needs);

}  // namespace ablate::probes
