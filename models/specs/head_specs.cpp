// The specs of all heads, for planning.

#include "models/specs/head_specs.h"

#include <algorithm>

#include "models/specs/heads.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name) HeadSpec name##_head_spec();
ABLATE_HEADS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const HeadSpec> head_specs() {
#define ABLATE_CALL(name) name##_head_spec(),
  static const std::vector<HeadSpec> specs = {ABLATE_HEADS(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

std::int64_t trunk_blocks(std::int64_t depth, std::span<const HeadNeed> heads) {
  for (const HeadNeed& head : heads) depth -= head.traits.taken;
  return depth;
}

HeadsCost cost_of(const Needs& needs, std::int64_t width, std::int64_t vocabulary,
                  const std::function<BlockCost(std::int64_t place)>& block,
                  const std::function<HeadCost(const NarrowNetwork& own)>& network) {
  HeadsCost all;
  double chain = 0;
  std::int64_t place = 0;
  for (const HeadNeed& head : known_heads(needs.heads, head_specs())) {
    const BlockCost own = block(place);
    const HeadCost cost = head.spec->cost(head.settings(), {width, own, network, vocabulary});
    if (head.traits.blocks > 0) {
      all.idle += own.idle;
      all.fixed_bytes += own.fixed_bytes;
    }
    all.idle += cost.idle;
    all.fixed_bytes += cost.fixed_bytes;
    place += head.traits.blocks;
    all.parameters += cost.parameters;
    all.embeddings += cost.embeddings;
    if (head.spec->at_inference) all.at_inference += cost.parameters;
    if (head.scored) all.multiply_adds += cost.multiply_adds;
    if (head.scored) all.per_target = std::max(all.per_target, cost.per_target);
    if (head.traits.fills) {
      all.bytes_before = std::max(all.bytes_before, cost.bytes);
      continue;
    }
    chain = cost.bytes + (head.traits.continues ? chain : 0);
    all.bytes = std::max(all.bytes, chain);
  }
  return all;
}

}  // namespace ablate::models
