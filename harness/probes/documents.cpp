// Lays out whole documents for probes.

#include "harness/probes/documents.h"

#include <algorithm>

namespace ablate {

std::vector<std::span<const Token>> documents_of(const Part& part, std::size_t most) {
  std::vector<std::span<const Token>> documents;
  for (std::size_t first = 0; first < part.tokens.size() && documents.size() < most;) {
    const std::size_t end = document_end(part.tokens, first);
    if (part.tokens[first] == begin_token)
      documents.push_back(part.tokens.subspan(first, end - first));
    first = end;
  }
  return documents;
}

Batch document_batch(std::span<const std::span<const Token>> documents, Attention attention) {
  std::vector<Placed> placed;
  std::size_t longest = 1;
  for (const auto tokens : documents) {
    Placed& one = placed.emplace_back();
    one.row = static_cast<std::int64_t>(placed.size()) - 1;
    one.text.tokens = tokens;
    one.example.inputs.assign(tokens.begin(), tokens.end());
    one.example.targets = one.example.inputs;
    one.example.weights.assign(tokens.size(), 0);  // nothing is scored
    longest = std::max(longest, tokens.size());
  }
  const Needs needs{.attention = attention, .alignment = Alignment::in_place};
  return lay_out(placed, needs, Packing::padded, static_cast<std::int64_t>(documents.size()),
                 {static_cast<std::int64_t>(longest), 0});
}

}  // namespace ablate
