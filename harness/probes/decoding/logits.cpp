// Runs documents through a network and returns logits at chosen positions.

#include "harness/probes/decoding/logits.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {

namespace {

/// int64 [place]: row * time + t.
at::Tensor positions_of(std::span<const Place> places, std::int64_t time) {
  const at::Tensor positions = at::empty({static_cast<std::int64_t>(places.size())}, at::kLong);
  std::int64_t* next = positions.data_ptr<std::int64_t>();
  for (const Place& place : places)
    *next++ = static_cast<std::int64_t>(place.document) * time +
              static_cast<std::int64_t>(place.position);
  return positions;
}

std::vector<float> logits_of(train::Network& network, const at::Tensor& hidden,
                             const at::Tensor& positions) {
  const at::Tensor logits =
      network.logits(hidden, 0, positions.to(hidden.device())).to(at::kFloat).cpu().contiguous();
  const float* const values = logits.data_ptr<float>();
  return {values, values + logits.numel()};
}

}  // namespace

std::vector<float> head_logits(train::Network& network, const at::Tensor& hidden, std::int64_t time,
                               std::span<const Place> places) {
  return logits_of(network, hidden, positions_of(places, time));
}

std::vector<float> batch_logits(train::Network& network, const data::Batch& batch,
                                std::span<const Place> places, const std::string& device) {
  if (places.empty()) return {};
  const at::Tensor positions = positions_of(places, batch.time).to(at::Device(device));
  const at::Tensor hidden = network.hidden_at(train::to_inputs({&batch, 1}, device), positions);
  return logits_of(network, hidden, at::arange(positions.numel()));
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
