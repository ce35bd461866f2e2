// Tokens of documents with a label each. Without LibTorch.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// Labelled tokens, and the documents that they stand in.
struct TokenItems {
  struct Item {
    std::size_t document = 0;
    std::size_t position = 0;  // in the document
    std::int32_t label = 0;    // in [0, classes)
  };

  std::vector<std::vector<Token>> documents;  // begin_token, ..., truncated to the context
  std::vector<Item> items;                    // by document, then by position
  std::int32_t classes = 0;
};

/// The tokens of the three splits.
struct TokenSplits {
  TokenItems training, development, test;
};

}  // namespace ablate::probes
