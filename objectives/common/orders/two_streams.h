// Two streams of places for tokens that are predicted in any order. The content stream holds the tokens;
// the query stream has a mask at the place of each token that is predicted, which nobody else reads.
//
// Source: Yang et al. 2019, "XLNet: Generalized Autoregressive Pretraining for Language Understanding",
// arXiv:1906.08237, section 2.3. Its query stream reads the keys and values of the content stream; so does
// a place that sees content alone.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// Which tokens of a text follow its context, in which order. All others are context.
struct TokenOrder {
  std::vector<std::int32_t> positions = {};  // in the text, each once, in any documents
  std::size_t given = 0;                     // how many of them, the first ones, are not predicted
  bool at_once = false;     // each is predicted from the context and what is given alone
  bool told_length = true;  // a separator stands in the context behind a document that is cut
};

/// Laid out in place, document by document: the context in text order, the other tokens in their order,
/// and a query for each one that is predicted, which is scored with weight 1. Every place has the
/// position of its token, counted from the document's first one. Context sees the context of its
/// document; a token that follows it sees the context, those before it in the order, and itself; its
/// query sees the same without itself. Predicted at once, tokens are not read at all. A mask in the context
/// is a blank that is not laid out.
///
/// A query does not see the others, so only the end of a document says how many of its tokens are still to
/// come. `told_length` says it where a text ends before its document does.
Example two_streams(std::span<const Token> tokens, const TokenOrder& order);

}  // namespace ablate::objectives
