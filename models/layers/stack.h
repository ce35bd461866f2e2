// Blocks one after the other: what encoders, decoders and heads are made of.

#pragma once

#include <string>
#include <vector>

#include "models/layers/parameters.h"
#include "models/operations/operations.h"
#include "models/specs/transformer_spec.h"

namespace ablate::models {

/// The residual stream between two layers: what is to be added to it is not added yet, so that the
/// next norm can do both at once.
struct ResidualStream {
  at::Tensor stream;  // float32 [lane, batch, time, width]
  at::Tensor delta;   // the same shape; undefined: nothing

  at::Tensor sum() const;
};

/// What an encoder made, and which of it each position of a decoder sees.
struct Memory {
  at::Tensor states;   // [lane, batch, source time, width], normed
  AttentionMask mask;  // see with_source()
};

/// One forward pass, as its layers know it.
struct Pass {
  const Operations& operations;
  const train::Inputs& inputs;
  AttentionMask mask;  // prepared
  at::ScalarType type;
  std::int64_t layer = 0;  // counts the places of dropout

  /// `x` with units dropped by key.
  at::Tensor dropped(const at::Tensor& x);
};

/// (Norm, attention, norm, feed-forward) a block, each layer added to the residual stream; between
/// the two, where there is an encoder, attention over what it made.
///
/// Source: Vaswani et al. 2017, arXiv:1706.03762, with the norm before each layer (Xiong et al.
/// 2020, arXiv:2002.04745).
class Stack {
 public:
  /// Adds the parameters of blocks [first, first + count), named PREFIXblock.I.LAYER. `layers`: of
  /// the whole path that writes to the stream; each writes by the root of their number less, so
  /// that the stream's size does not grow with depth (Radford et al. 2019).
  Stack(Parameters& parameters, const TransformerShape& shape, const std::string& prefix,
        std::int64_t first, std::int64_t count, double layers);

  /// The same with attention over an encoder's states, its blocks those of `shared` where that is
  /// not null.
  static Stack decoder(Parameters& parameters, const TransformerShape& shape, std::int64_t count,
                       double layers, const Stack* shared);

  /// Runs all blocks. `sums`: takes the stream before each, where not null.
  ResidualStream run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums,
                     const Memory* memory = nullptr) const;

 private:
  /// Where a block's weights stand among the parameters.
  struct Block {
    std::size_t attention_norm = 0, qkv = 0, out = 0, feed_forward_norm = 0, up = 0, down = 0;
    std::size_t cross_norm = 0, cross_q = 0, cross_kv = 0, cross_out = 0;  // of decoders alone
  };

  Stack(const Parameters& parameters, const TransformerShape& shape)
      : parameters_(&parameters), shape_(shape) {}
  ResidualStream attend(Pass& pass, const ResidualStream& residual, const Block& block,
                        std::vector<at::Tensor>* sums) const;
  ResidualStream attend_across(Pass& pass, const ResidualStream& residual, const Block& block,
                               const Memory& memory) const;
  ResidualStream feed_forward(Pass& pass, const ResidualStream& residual, const Block& block) const;

  const Parameters* parameters_;
  TransformerShape shape_;
  std::vector<Block> blocks_;
};

}  // namespace ablate::models
