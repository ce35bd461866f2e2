#include "harness/probes/speculative_decoding/head_forward.h"

#include <algorithm>
#include <utility>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

/// The documents; where heads continue each other, with room for the tokens that the last head reads
/// after a document.
data::Batch padded_batch(std::span<const std::span<const Token>> documents, std::size_t room) {
  std::size_t longest = 0;
  for (const auto document : documents) longest = std::max(longest, document.size());
  return document_batch(documents, Attention::causal, longest + room);
}

}  // namespace

HeadForward::HeadForward(train::Network& network, std::span<const std::span<const Token>> documents,
                         std::span<const HeadNeed> heads, std::string device)
    : network_(network),
      continues_(
          std::ranges::any_of(heads, [](const auto& head) { return head.traits.continues; })),
      device_(std::move(device)),
      batch_(padded_batch(documents, continues_ ? heads.size() - 1 : 0)),
      inputs_(train::to_inputs({&batch_, 1}, device_)) {}

std::vector<float> HeadForward::next_logits(std::span<const Place> places) {
  if (std::exchange(written_, false)) inputs_ = train::to_inputs({&batch_, 1}, device_);
  return head_logits(network_, network_.head_hidden(next_++, inputs_, streams_), batch_.time,
                     places);
}

void HeadForward::write(const Place& place, Token token) {
  batch_.tokens[place.document * static_cast<std::size_t>(batch_.time) + place.position] = token;
  written_ = true;
}

}  // namespace ablate::probes
