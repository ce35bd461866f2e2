// Runs documents through a network and returns logits at chosen positions.

#include "harness/probes/decoding/logits.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {

std::vector<float> head_logits(train::Network& network, const at::Tensor& hidden, std::int64_t time,
                               std::span<const Place> places) {
  const at::Tensor positions = at::empty({static_cast<std::int64_t>(places.size())}, at::kLong);
  std::int64_t* next = positions.data_ptr<std::int64_t>();
  for (const Place& place : places)
    *next++ = static_cast<std::int64_t>(place.document) * time +
              static_cast<std::int64_t>(place.position);
  const at::Tensor logits =
      network.logits(hidden, 0, positions.to(hidden.device())).to(at::kFloat).cpu().contiguous();
  const float* const values = logits.data_ptr<float>();
  return {values, values + logits.numel()};
}

std::vector<float> logits_at(train::Network& network,
                             std::span<const std::span<const Token>> documents, Attention attention,
                             std::span<const Place> places, const std::string& device) {
  if (places.empty()) return {};
  const data::Batch batch = document_batch(documents, attention);
  const at::Tensor hidden = network.hidden(train::to_inputs({&batch, 1}, device));
  return head_logits(network, hidden, batch.time, places);
}

}  // namespace ablate::probes
