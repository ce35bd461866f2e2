// A stack of transformer blocks: the building block of encoders, decoders and heads.

#pragma once

#include <string>
#include <vector>

#include "models/layers/parameters.h"
#include "models/operations/operations.h"
#include "models/specs/transformer_spec.h"

namespace ablate::models {

/// The residual stream between two layers. The output of the previous layer is kept apart, so that
/// the next norm can add it in the same pass over memory.
struct ResidualStream {
  at::Tensor stream;  // float32 [lane, batch, time, width]
  at::Tensor delta;   // to be added, same shape; undefined: nothing

  /// stream + delta, float32 [lane, batch, time, width].
  at::Tensor sum() const;
};

/// The output of an encoder, and the part of it that each position of a decoder sees.
struct Memory {
  at::Tensor states;   // [lane, batch, source time, width], after the encoder's norm
  AttentionMask mask;  // see with_source()
};

/// The state of one forward pass.
struct Pass {
  const Operations& operations;
  const train::Inputs& inputs;
  AttentionMask mask;      // prepared
  at::ScalarType type;     // of activations
  std::int64_t layer = 0;  // index of the next dropout

  /// `x` after dropout, keyed by lane seed, step and `layer`, which it increments.
  at::Tensor dropped(const at::Tensor& x);
};

/// Pre-norm transformer blocks: norm and attention, then norm and feed-forward, each added to the
/// residual stream. Blocks of a decoder with an encoder have cross-attention in between.
///
/// Source: Vaswani et al. 2017, arXiv:1706.03762, with the norm before each layer (Xiong et al.
/// 2020, arXiv:2002.04745).
class Stack {
 public:
  /// Adds the parameters of blocks [first, first + count), named PREFIXblock.I.LAYER. `layers` is
  /// the number of layers on the path that write to the stream. The initial weights of their
  /// outputs are divided by sqrt(layers), so that the stream does not grow with depth (Radford et
  /// al. 2019).
  Stack(Parameters& parameters, const TransformerShape& shape, const std::string& prefix,
        std::int64_t first, std::int64_t count, double layers);

  /// A stack of `count` blocks with cross-attention over an encoder's states. If `shared` is not
  /// null, the blocks reuse its parameters and add only those of cross-attention.
  static Stack decoder(Parameters& parameters, const TransformerShape& shape, std::int64_t count,
                       double layers, const Stack* shared);

  /// Runs all blocks. If `sums` is not null, appends the stream before each block to it. `memory`:
  /// what cross-attention reads; null for stacks without it.
  ResidualStream run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums,
                     const Memory* memory = nullptr) const;

 private:
  /// Indices of a block's weights among the parameters.
  struct Block {
    std::size_t attention_norm = 0, qkv = 0, out = 0, feed_forward_norm = 0, up = 0, down = 0;
    std::size_t cross_norm = 0, cross_q = 0, cross_kv = 0, cross_out = 0;  // decoders only
  };

  /// A stack without blocks.
  Stack(const Parameters& parameters, const TransformerShape& shape)
      : parameters_(&parameters), shape_(shape) {}

  /// The norm and self-attention of a block; appends the stream before it to `sums` if not null.
  ResidualStream attend(Pass& pass, const ResidualStream& residual, const Block& block,
                        std::vector<at::Tensor>* sums) const;

  /// The norm and cross-attention of a block.
  ResidualStream attend_across(Pass& pass, const ResidualStream& residual, const Block& block,
                               const Memory& memory) const;

  /// The norm and feed-forward layer of a block.
  ResidualStream feed_forward(Pass& pass, const ResidualStream& residual, const Block& block) const;

  const Parameters* parameters_;
  TransformerShape shape_;
  std::vector<Block> blocks_;
};

}  // namespace ablate::models
