// The specs of all mixers and feed-forward layers, for planning, and what a block costs.

#include "models/specs/layer_specs.h"

#include <vector>

#include "models/specs/feed_forwards.inc"
#include "models/specs/mixers.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name) MixerSpec name##_mixer_spec();
ABLATE_MIXERS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

#define ABLATE_DECLARE(name) FeedForwardSpec name##_feed_forward_spec();
ABLATE_FEED_FORWARDS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const MixerSpec> mixer_specs() {
#define ABLATE_CALL(name) name##_mixer_spec(),
  static const std::vector<MixerSpec> specs = {ABLATE_MIXERS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

std::span<const FeedForwardSpec> feed_forward_specs() {
#define ABLATE_CALL(name) name##_feed_forward_spec(),
  static const std::vector<FeedForwardSpec> specs = {ABLATE_FEED_FORWARDS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

namespace {

template <class Spec>
std::vector<LayerKind> kinds_of(std::span<const Spec> specs) {
  std::vector<LayerKind> kinds;
  kinds.reserve(specs.size());
  for (const Spec& spec : specs) kinds.push_back({spec.name, spec.summary, spec.source});
  return kinds;
}

}  // namespace

std::span<const LayerKind> mixer_kinds() {
  static const std::vector<LayerKind> kinds = kinds_of(mixer_specs());
  return kinds;
}

std::span<const LayerKind> feed_forward_kinds() {
  static const std::vector<LayerKind> kinds = kinds_of(feed_forward_specs());
  return kinds;
}

BlockCost block_cost(const Shape& shape, std::int64_t begin, std::int64_t block, std::int64_t time,
                     bool bfloat16) {
  const double unit = activation_bytes(bfloat16);
  const double norm = (kFloat32Bytes + unit) * static_cast<double>(shape.width);  // sum, and output
  const MixerSpec& mixer = shape.mixer(block);
  const bool first = shape.with_mixer_of(block, begin, block) == 0;
  BlockCost cost = {mixer.parameters(shape, first) + shape.width,
                    mixer.multiply_adds(shape, time, first), norm + mixer.bytes(shape, unit)};
  if (const FeedForwardSpec* const feed_forward = shape.feed_forward(block)) {
    cost.parameters += feed_forward->parameters(shape) + shape.width;
    cost.multiply_adds += feed_forward->multiply_adds(shape);
    cost.bytes += norm + feed_forward->bytes(shape, unit);
    if (feed_forward->fixed_bytes != nullptr)
      cost.fixed_bytes = feed_forward->fixed_bytes(shape, unit);
    if (feed_forward->idle != nullptr) cost.idle = feed_forward->idle(shape);
  }
  return cost;
}

BlockCost stack_cost(const Shape& shape, std::int64_t depth, std::int64_t time, bool bfloat16) {
  BlockCost all;
  for (std::int64_t block = 0; block < depth; ++block) {
    const BlockCost cost = block_cost(shape, 0, block, time, bfloat16);
    all.parameters += cost.parameters;
    all.multiply_adds += cost.multiply_adds;
    all.bytes += cost.bytes;
    all.fixed_bytes += cost.fixed_bytes;
    all.idle += cost.idle;
  }
  return all;
}

}  // namespace ablate::models
