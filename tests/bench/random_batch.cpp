// Drawing random batches.

#include "tests/bench/random_batch.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <numeric>

namespace ablate::bench {
namespace {

const at::TensorOptions kIntegers = at::TensorOptions().dtype(at::kLong);

at::Tensor random_ids(std::vector<std::int64_t> sizes, std::int64_t bound, Rng& rng) {
  const at::Tensor ids = at::empty(sizes, kIntegers);
  auto* const data = ids.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < ids.numel(); ++i) data[i] = rng.below(bound);
  return ids;
}

// `count` of `positions` by selection sampling, ascending. Source: Knuth, The Art of Computer
// Programming, volume 2, algorithm 3.4.2S.
at::Tensor random_places(std::int64_t positions, std::int64_t count, Rng& rng) {
  const at::Tensor places = at::empty({count}, kIntegers);
  std::int64_t chosen = 0;
  for (std::int64_t i = 0; chosen < count; ++i)
    if (rng.below(positions - i) < count - chosen) places.data_ptr<std::int64_t>()[chosen++] = i;
  return places;
}

}  // namespace

RandomBatch random_batch(const Size& size, const Scoring& scoring, std::int64_t lanes, Rng& rng) {
  const std::vector<std::int64_t> sizes = {lanes, size.batch, size.context};
  const std::int64_t positions = size.batch * size.context;
  const auto count = static_cast<std::int64_t>(scoring.share * static_cast<double>(positions));
  RandomBatch batch;
  batch.inputs.tokens = random_ids(sizes, size.vocabulary, rng);
  batch.inputs.positions = at::arange(size.context, kIntegers).expand(sizes).contiguous();
  batch.inputs.visible_from = at::zeros(sizes, kIntegers);
  batch.inputs.visible_until =
      scoring.causal ? batch.inputs.positions.add(1) : at::full(sizes, size.context, kIntegers);
  batch.inputs.visibility = scoring.causal ? train::Visibility::causal : train::Visibility::full;
  for (std::int64_t lane = 0; lane < lanes; ++lane)
    batch.targets.push_back({random_places(positions, count, rng),
                             random_ids({count}, size.vocabulary, rng), at::ones({count})});
  batch.scored = static_cast<double>(count);
  return batch;
}

RandomBatch on_device(RandomBatch batch, const std::string& device) {
  const auto move = [&](at::Tensor& tensor) { tensor = tensor.to(at::Device(device)); };
  for (at::Tensor* tensor : {&batch.inputs.tokens, &batch.inputs.positions,
                             &batch.inputs.visible_from, &batch.inputs.visible_until})
    move(*tensor);
  for (train::LaneTargets& lane : batch.targets)
    for (at::Tensor* tensor : {&lane.positions, &lane.targets, &lane.weights}) move(*tensor);
  return batch;
}

}  // namespace ablate::bench
