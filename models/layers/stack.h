// A stack of blocks: the building block of encoders, decoders and heads.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/layers/layer.h"

namespace ablate::models {

/// A range of blocks of a stack.
struct Blocks {
  std::string prefix = {};  // of the names of their parameters, which begin with PREFIXblock.I.
  std::int64_t first = 0;   // the I of the first one
  std::int64_t count = 0;
  std::int64_t layer = 0;  // where the first one stands in the shape's lists of layers
};

/// Pre-norm blocks: norm and mixer, then norm and feed-forward, each added to the residual stream. Blocks
/// of a decoder with an encoder have cross-attention in between. A block takes one dropout index for each
/// of these, used or not.
///
/// Source: Vaswani et al. 2017, arXiv:1706.03762, with the norm before each layer (Xiong et al.
/// 2020, arXiv:2002.04745).
class Stack {
 public:
  /// Adds the parameters of `blocks`. `writing` is the number of layers on the path that write to the
  /// stream. The initial weights of their outputs are divided by sqrt(writing), so that the stream does
  /// not grow with depth (Radford et al. 2019).
  Stack(Parameters& parameters, const Shape& shape, const Blocks& blocks, std::int64_t writing);

  /// A stack of `count` blocks with cross-attention over an encoder's states. If `shared` is not
  /// null, the blocks reuse its parameters and add only those of cross-attention.
  static Stack decoder(Parameters& parameters, const Shape& shape, std::int64_t count,
                       std::int64_t writing, const Stack* shared);

  /// Runs all blocks. If `sums` is not null, appends the stream before each block to it. `memory`:
  /// what cross-attention reads; null for stacks without it. The last block before the states that the
  /// pass wants leaves the stream at their positions alone.
  ResidualStream run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums,
                     const Memory* memory = nullptr) const;

 private:
  /// The layers of a block, and the indices of its other weights among the parameters.
  struct Block {
    std::shared_ptr<const Mixer> mixer;               // shared where two stacks share their blocks
    std::shared_ptr<const FeedForward> feed_forward;  // null: none
    std::size_t mixer_norm = 0, feed_forward_norm = 0;
    std::size_t cross_norm = 0, cross_q = 0, cross_kv = 0, cross_out = 0;  // decoders only
  };

  /// A stack without blocks.
  Stack(const Parameters& parameters, const Shape& shape)
      : parameters_(&parameters), norm_(shape.rms_norm ? Norm::rms : Norm::layer) {}

  /// The sum of the stream, and its norm with the gains of index `gain`.
  Normed normed(const Pass& pass, const ResidualStream& residual, std::size_t gain) const;

  /// The norm and the mixer of a block; appends the stream before it to `sums` if not null.
  ResidualStream mix(Pass& pass, const ResidualStream& residual, const Block& block,
                     std::vector<at::Tensor>* sums) const;

  /// The norm and cross-attention of a block.
  ResidualStream attend_across(Pass& pass, const ResidualStream& residual, const Block& block,
                               const Memory& memory) const;

  /// The norm and the feed-forward layer of a block, if it has one.
  ResidualStream feed_forward(Pass& pass, const ResidualStream& residual, const Block& block) const;

  const Parameters* parameters_;
  Norm norm_;
  std::vector<Block> blocks_;
};

}  // namespace ablate::models
