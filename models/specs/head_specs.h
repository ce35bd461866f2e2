// The specs of all heads, for planning, and what the heads of a network cost together.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::models {

/// The specs of every head, in alphabetical order. They do not depend on LibTorch.
std::span<const HeadSpec> head_specs();

/// The blocks that heads leave to the trunk of a model with `depth` blocks; may be below 1. Requires:
/// heads of known kinds.
std::int64_t trunk_blocks(std::int64_t depth, std::span<const HeadNeed> heads);

/// What all heads of a network cost.
struct HeadsCost {
  std::int64_t parameters = 0;
  std::int64_t embeddings = 0;    // of the parameters, those of tables of their own
  std::int64_t at_inference = 0;  // parameters of those that a trained model is used with
  double multiply_adds = 0;       // per position of a row, of those that are scored
  double bytes = 0;  // per position, kept at once: heads that continue each other run together, all
                     // others one after the other
  double bytes_before = 0;  // per position, of a network that runs before the trunk
  double fixed_bytes =
      0;  // kept beside those of positions, by heads and by networks before the trunk
  std::int64_t idle = 0;  // of the parameters, those that a position does not read
  double per_target = 0;  // multiply-adds of a scored token by a table of its own; 0: there is none
};

/// What the heads of these needs cost on a backbone of this width and vocabulary, of which `block` gives the cost of a
/// block by its place among those of the heads, and `network` that of a network of a head's own.
HeadsCost cost_of(const Needs& needs, std::int64_t width, std::int64_t vocabulary,
                  const std::function<BlockCost(std::int64_t place)>& block,
                  const std::function<HeadCost(const NarrowNetwork& own)>& network);

}  // namespace ablate::models
