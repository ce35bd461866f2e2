// Lays out complete documents for probes.

#include "harness/probes/documents.h"

#include <algorithm>

namespace ablate::probes {

std::vector<std::span<const Token>> documents_of(const data::Part& part, std::size_t maximum) {
  std::vector<std::span<const Token>> documents;
  for (std::size_t first = 0; first < part.tokens.size() && documents.size() < maximum;) {
    const std::size_t end = data::document_end(part.tokens, first);
    if (part.tokens[first] == begin_token)
      documents.push_back(part.tokens.subspan(first, end - first));
    first = end;
  }
  return documents;
}

data::Batch document_batch(std::span<const std::span<const Token>> documents, Attention attention,
                           std::size_t time) {
  std::vector<data::PlacedExample> placed;
  for (const auto tokens : documents) {
    data::PlacedExample& one = placed.emplace_back();
    one.row = static_cast<std::int64_t>(placed.size()) - 1;
    one.text.tokens = tokens;
    one.example.inputs.assign(tokens.begin(), tokens.end());
    one.example.targets = one.example.inputs;
    one.example.weights.assign(tokens.size(), 0);  // nothing is scored
    time = std::max(time, tokens.size());
  }
  const Needs needs{.attention = attention, .alignment = Alignment::in_place};
  return data::lay_out(placed, needs, data::Packing::padded,
                       static_cast<std::int64_t>(documents.size()),
                       {static_cast<std::int64_t>(time), 0});
}

}  // namespace ablate::probes
