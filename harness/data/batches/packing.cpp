#include "harness/data/batches/packing.h"

#include "harness/base/error.h"

namespace ablate::data {

Packing packing_named(std::string_view name) {
  if (name == "isolated") return Packing::isolated;
  if (name == "joined") return Packing::joined;
  if (name == "padded") return Packing::padded;
  reject("packing '{}' is not known; accepted: isolated, joined, padded", name);
}

std::size_t document_end(std::span<const Token> tokens, std::size_t first) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (tokens[i] == end_token) return i + 1;
    if (tokens[i] == begin_token && i > first) return i;
  }
  return tokens.size();
}

}  // namespace ablate::data
