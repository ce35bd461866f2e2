// The sizes of a network, which its embeddings, layers and heads are built for. Used by planning and by
// the builders.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/contract/head.h"
#include "models/specs/layers/layer_spec.h"

namespace ablate::models {

/// What tells a network where a token stands.
enum class Positions { rotary, learned, alibi, none };

/// Every size and switch of a network's stacks.
struct Shape {
  std::int64_t depth = 0;       // blocks
  std::int64_t width = 0;       // units of the residual stream
  std::int64_t heads = 0;       // attention heads; they divide the width
  std::int64_t head_width = 0;  // width / heads
  std::int64_t group = 1;       // query heads of attention that share keys and values
  std::int64_t context = 0;     // positions in a row
  std::int64_t vocabulary = 0;  // ids
  std::int64_t ordinary = 0;    // of these, those of text, from special_count on
  double hidden_multiple = 4;   // units of a feed-forward layer, as a multiple of the width
  std::int64_t state_size =
      16;                    // numbers that a mixer of a sized state keeps for each of its units
  std::int64_t window = 32;  // positions that a sliding window holds, the own one included
  std::int64_t experts = 8;  // that a router chooses from
  std::int64_t experts_per_token = 2;  // that it chooses
  std::int64_t shared_experts = 0;     // that read every position, beside the chosen ones
  double expert_balance = 0.01;        // coefficient of the balance of documents in the loss
  Positions positions = Positions::rotary;
  double rotary_base = 10000;   // of the angles
  double rotary_scale = 1;      // that positions are divided by before they rotate
  bool query_key_norm = false;  // whether attention norms queries and keys
  bool inner = false;           // places have second positions
  bool rms_norm = false;        // false: layer norm
  bool tied = false;            // whether the token table is also the output head

  // Of the blocks, from the first one on; repeated. Neither is empty.
  std::vector<const MixerSpec*> mixers;
  std::vector<const FeedForwardSpec*> feed_forwards;  // null: the block has none

  // Set by the heads of the needs.
  std::int64_t trunk = 0;  // blocks below the heads
  std::int64_t first = 0;  // blocks of the first head
  bool table = true;       // whether a head predicts tokens, by the output table

  /// The mixer of a block.
  const MixerSpec& mixer(std::int64_t block) const { return *mixers[index(block, mixers.size())]; }

  bool rotary() const { return positions == Positions::rotary; }

  /// How many of the blocks from `begin` up to `end` have the mixer of `block`.
  std::int64_t with_mixer_of(std::int64_t block, std::int64_t begin, std::int64_t end) const {
    std::int64_t count = 0;
    for (std::int64_t i = begin; i < end; ++i) count += &mixer(i) == &mixer(block);
    return count;
  }

  /// The feed-forward layer of a block; null if it has none.
  const FeedForwardSpec* feed_forward(std::int64_t block) const {
    return feed_forwards[index(block, feed_forwards.size())];
  }

 private:
  static std::size_t index(std::int64_t block, std::size_t count) {
    return static_cast<std::size_t>(block) % count;
  }
};

/// The network of a head with the parameters `width` and `embeddings`.
NarrowNetwork narrow_network(const Params& params);

/// The attention heads of a network that is a fraction as wide. Not a whole number: there is no such
/// network.
double narrowed_heads(std::int64_t heads, double fraction);

/// The sizes of a head's network of its own: of the same depth and layers, with a fraction of the
/// attention heads and so of the width; a group of query heads becomes the largest that divides them. Requires: a whole number of attention heads.
Shape narrowed(Shape shape, const NarrowNetwork& own);

/// How many layers of the first `blocks` blocks write to the stream, cross-attention excluded.
std::int64_t writing_layers(const Shape& shape, std::int64_t blocks);

/// Bytes of a unit of the residual stream, of norms' inputs and of all gradients of parameters.
constexpr double kFloat32Bytes = 4;

/// Bytes of a unit of activations.
constexpr double activation_bytes(bool bfloat16) { return bfloat16 ? 2 : 4; }

}  // namespace ablate::models
