// How documents share rows, and where they end.

#pragma once

#include <span>
#include <string_view>

#include "harness/contract/vocabulary.h"

namespace ablate::data {

enum class Packing {
  isolated,  // documents share rows and do not see each other
  joined,    // documents share rows and see each other
  padded,    // a row holds one document's part, filled up with pad tokens
};

/// The packing of that name; throws std::invalid_argument where there is none.
Packing packing_named(std::string_view name);

/// Where the part of a document that starts at `first` ends: after its end token, before the next
/// begin token, or with the tokens.
std::size_t document_end(std::span<const Token> tokens, std::size_t first);

}  // namespace ablate::data
