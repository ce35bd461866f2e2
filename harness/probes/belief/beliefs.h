// Exact beliefs about the built-in language: the posterior of its hidden state at a token, and what can
// be said of it from less. Without LibTorch.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/contract/chain.h"
#include "harness/probes/hidden_state/emitted.h"
#include "harness/probes/linear/token_items.h"

namespace ablate::probes {

/// A matrix, row by row.
struct Matrix {
  std::int64_t width = 0;
  std::vector<double> values = {};  // [row, width]

  std::int64_t rows() const { return static_cast<std::int64_t>(values.size()) / width; }
};

/// P(composite state of the item's token | what is given), a row for each item, summing to 1. With
/// Given::past the token itself is given, too.
/// Source: Shai et al. 2024, "Transformers represent belief state geometry in their residual stream",
/// arXiv:2405.15943, section 2.
Matrix beliefs(const Chain& chain, const TokenItems& emitted, Given given);

/// log P(next token | the token and those before it), [item, ordinary + 1], the end token last; at least
/// log 1e-12.
Matrix next_laws(const Chain& chain, const TokenItems& emitted);

/// Which the last `count` tokens are that were read, the item's own first: [item, count * (ordinary + 1)] of
/// zeros and ones; the last of each part says that there is none, before the first token or after the last.
Matrix last_tokens(const Chain& chain, const TokenItems& emitted, std::int64_t count,
                   Reading reading = {});

/// The topics of composite states: rows of composite_states(), a column for each topic, zeros and ones.
Matrix topic_of_state(const Chain& chain);

/// The same of the states of a block.
Matrix state_of_state(const Chain& chain);

}  // namespace ablate::probes
