// The operations that a backbone is made of, each over all lanes: plain ones that run anywhere and
// in any precision, and fused ones for the CPU. Both are differentiable, and a test holds one
// against the other.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "harness/train/network/network.h"

namespace ablate::models {

enum class Norm { layer, rms };
enum class Activation { gelu, swiglu };

/// The place of each position and what it sees; [lane, batch, time], int64.
struct AttentionMask {
  at::Tensor positions;      // in [0, context)
  at::Tensor visible_from;   // position i sees j if and only if visible_from[i] <= j
  at::Tensor visible_until;  //   and j < visible_until[i]

  /// Of rotary positions, else undefined; float32 [context, 2, head_width]. At position p unit d
  /// becomes x[d] * rotary[p][0][d] + x[d + head_width / 2, or minus it] * rotary[p][1][d].
  at::Tensor rotary;
  std::int64_t heads = 1;
  train::Visibility visibility = train::Visibility::general;  // as the host knows it

  // What `prepared` adds; undefined where the operations have no use for it.
  at::Tensor angles;  // `rotary` at each position, [lane, batch, time, 1, 2, head_width]
  at::Tensor seen;    // true where i sees j, [lane, batch, 1, time, time]
  at::Tensor bias;    // added to scores, [lane * batch, 1, time, time]: 0 where i sees j, else -inf
  at::Tensor blind;   // true where i sees nothing, [lane * batch, 1, time, 1]; its bias is all 0
};

/// The residual stream and what the next layer reads of it.
struct Normed {
  at::Tensor sum;     // float32 [lane, batch, time, width]
  at::Tensor normed;  // the same shape
};

/// The output head: logits = scale * hidden . table.
struct OutputHead {
  at::Tensor table;         // float32 [lane, vocabulary, width]
  double scale = 1;         // makes a tied table's first loss that of a uniform guess
  at::ScalarType products;  // float32, or bfloat16
};

/// Weights are float32 masters; products are computed in the type of the activation that they meet.
class Operations {
 public:
  virtual ~Operations() = default;

  /// Rows of `table` [lane, rows, width] at `ids` [lane, batch, time].
  virtual at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const = 0;

  /// `x` [lane, batch, time, in] times `weight` [lane, out, in].
  virtual at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const = 0;

  /// `residual` + `delta` (nothing where undefined), and its norm times `gain` [lane, width], as
  /// `type`.
  virtual Normed add_norm(const at::Tensor& residual, const at::Tensor& delta,
                          const at::Tensor& gain, Norm norm, at::ScalarType type) const = 0;

  /// `mask` with what all blocks of a step share, for activations of `type`.
  virtual AttentionMask prepared(AttentionMask mask, at::ScalarType type) const {
    static_cast<void>(type);
    return mask;
  }

  /// Attention over `qkv` [lane, batch, time, 3 * width]: queries, keys, values, each by head. A
  /// position that sees nothing gets zeros. Requires: a mask that is prepared for qkv's type.
  virtual at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) const = 0;

  /// Attention of `q` [lane, batch, time, width] over `kv` [lane, batch, source time, 2 * width],
  /// keys and values, each by head: positions of one sequence that see some of another. Without
  /// rotation. Requires: a mask from with_source(). Source: Vaswani et al. 2017, section 3.2.3.
  virtual at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                                     const AttentionMask& mask) const = 0;

  /// The activation of `linear(x, weight)`: GELU (erf); or SwiGLU, silu(first half of the units)
  /// times the second half.
  virtual at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                               Activation kind) const = 0;

  /// Total cost of each lane's targets in nats, [lane].
  virtual at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                            const std::vector<train::LaneTargets>& targets) const = 0;
};

/// Added to the mean square in every norm.
constexpr double kNormEpsilon = 1e-5;

}  // namespace ablate::models
