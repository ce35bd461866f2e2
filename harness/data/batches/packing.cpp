#include "harness/data/batches/packing.h"

#include "harness/base/error.h"

namespace ablate::data {

std::string_view name_of(Packing packing) {
  switch (packing) {
    case Packing::isolated:
      return "isolated";
    case Packing::joined:
      return "joined";
    case Packing::padded:
      break;
  }
  return "padded";
}

Packing packing_named(std::string_view name) {
  for (const Packing packing : {Packing::isolated, Packing::joined, Packing::padded})
    if (name == name_of(packing)) return packing;
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
