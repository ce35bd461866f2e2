// The operations that backbones consist of, each over all lanes. There are three implementations:
// plain operations for every device and precision, fused ones for the CPU, and those of a CUDA
// device. All are differentiable, and tests compare them.

#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "harness/train/network/network.h"
#include "models/operations/dropout.h"
#include "models/operations/linear_attention.h"
#include "models/operations/scan/delta_rule.h"
#include "models/operations/scan/generalised_delta.h"
#include "models/operations/scan/state_space.h"

namespace ablate::models {

enum class Norm { layer, rms };
enum class Activation { gelu, swiglu };

/// The position of each token and the positions it attends to; int64 [lane, batch, time] unless
/// stated otherwise.
struct AttentionMask {
  at::Tensor positions;      // in [0, context)
  at::Tensor visible_from;   // position i sees j if and only if visible_from[i] <= j
  at::Tensor visible_until;  //   and j < visible_until[i]

  /// Cosines and sines of rotary positions, float32 [context, 2, head_width]; undefined unless
  /// positions are rotary. At position p unit d becomes x[d] * rotary[p][0][d] + x[d'] * rotary[p][1][d],
  /// where d' = (d + head_width / 2) mod head_width.
  at::Tensor rotary;
  std::int64_t heads = 1;
  train::Visibility visibility = train::Visibility::general;  // known without reading the tensors

  // Position i also sees j if also_from[i] <= j < also_until[i]; undefined: no position does.
  at::Tensor also_from = {}, also_until = {};

  /// What a score loses for each position between a query and its key, by head (ALiBi), float32 [heads];
  /// undefined: nothing.
  at::Tensor slopes = {};

  // Added by `prepared`; undefined if the operations do not use it.
  at::Tensor angles;  // `rotary` at each position, [lane, batch, time, 1, 2, head_width]
  at::Tensor seen;    // true where i sees j, [lane, batch, 1, time, time]
  at::Tensor lost;    // what scores lose by `slopes`, float32 [lane, batch, heads, time, time]
  at::Tensor bias;   // added to scores, [lane * batch, 1 or heads, time, time]: 0 less what is lost
                     // where i sees j, else -inf
  at::Tensor blind;  // true where i sees nothing, [lane * batch, 1, time, 1]; its bias is all 0
};

/// Where a step of attention continues its rows.
struct AttentionStep {
  at::Tensor places;       // int64 [batch, time]: of the step's positions in their rows
  std::int64_t end = 0;    // above all places
  bool first = false;      // whether nothing was read before of any row
  std::int64_t group = 1;  // heads that have the same keys and values, which are kept once for them
};

/// The residual stream and its norm, which the next layer reads.
struct Normed {
  at::Tensor sum;     // float32 [lane, batch, time, width]
  at::Tensor normed;  // the same shape
};

/// The output head: logits = scale * hidden . table.
struct OutputHead {
  at::Tensor table;         // float32 [lane, vocabulary, width]
  double scale = 1;         // gives a tied table the initial loss of a uniform prediction
  at::ScalarType products;  // type of the products: float32 or bfloat16
};

/// Weights are float32 masters; products are computed in the type of the activations.
class Operations {
 public:
  virtual ~Operations() = default;

  /// Rows of `table` [lane, rows, width] at `ids` [lane, batch, time]: [lane, batch, time, width].
  virtual at::Tensor embed(const at::Tensor& table, const at::Tensor& ids) const = 0;

  /// `x` [lane, batch, time, in] times `weight` [lane, out, in] transposed: [lane, batch, time,
  /// out].
  virtual at::Tensor linear(const at::Tensor& x, const at::Tensor& weight) const = 0;

  /// The sum `residual` + `delta` (0 if undefined), and its norm times `gain` [lane, width] in
  /// `type`.
  virtual Normed add_norm(const at::Tensor& residual, const at::Tensor& delta,
                          const at::Tensor& gain, Norm norm, at::ScalarType type) const = 0;

  /// `mask` with the tensors that all blocks of a step use, for activations of `type`.
  virtual AttentionMask prepared(AttentionMask mask, at::ScalarType type) const {
    static_cast<void>(type);
    return mask;
  }

  /// Attention over `qkv` [lane, batch, time, 3 * width] (queries, keys, values, each by head):
  /// [lane, batch, time, width]. A position that sees nothing gets zeros. Requires: a mask prepared
  /// for the type of qkv.
  virtual at::Tensor attention(const at::Tensor& qkv, const AttentionMask& mask) const = 0;

  /// Attention of positions that follow others, over `qkv` as attention() has it. Adds their keys and values
  /// to those that `kept` has of the positions before, in the operations' own layout [lane, batch, ...];
  /// no tensors at first. Positions attend to what is there within the visibility of the mask, which is
  /// counted from the first position of a row. Without gradient.
  virtual at::Tensor attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                                    const AttentionStep& step, std::vector<at::Tensor>& kept) const;

  /// Linear attention over `qkv`, as attention has it: [lane, batch, time, width] in its type. Sums are
  /// float32. A position that sees nothing gets zeros. Plain ATen on every device by default.
  virtual at::Tensor linear_attention(const at::Tensor& qkv, const AttentionMask& mask) const {
    return models::linear_attention(qkv, mask);
  }

  /// state_space_scan() without a state before. Plain ATen on every device by default.
  virtual at::Tensor state_space(const StateSpaceRows& rows) const {
    at::Tensor none;
    return state_space_scan(rows, none);
  }

  /// delta_rule_scan() without a state before. Plain ATen on every device by default.
  virtual at::Tensor delta_rule(const DeltaRows& rows) const {
    at::Tensor none;
    return delta_rule_scan(rows, none);
  }

  /// generalised_delta_scan() without a state before. Plain ATen on every device by default.
  virtual at::Tensor generalised_delta(const GeneralisedDeltaRows& rows) const {
    at::Tensor none;
    return generalised_delta_scan(rows, none);
  }

  /// SiLU of convolved() with nothing before. Plain ATen on every device by default.
  virtual at::Tensor activated_convolution(const at::Tensor& channels,
                                           const ShortConvolution& convolution,
                                           const at::Tensor& from) const;

  /// Cross-attention of `q` [lane, batch, time, width] over `kv` [lane, batch, source time,
  /// 2 * width] (keys and values, each by head), without rotary positions: [lane, batch, time,
  /// width]. Requires: a mask from with_source(). Source: Vaswani et al. 2017, section 3.2.3.
  virtual at::Tensor cross_attention(const at::Tensor& q, const at::Tensor& kv,
                                     const AttentionMask& mask) const = 0;

  /// The activation of `linear(x, weight)`: GELU (erf), or SwiGLU, which is silu(first half of the
  /// units) times the second half.
  virtual at::Tensor activated(const at::Tensor& x, const at::Tensor& weight,
                               Activation kind) const = 0;

  /// As models::drop; on a device the masks are drawn there.
  virtual at::Tensor dropped(const at::Tensor& x, const DropoutKey& key) const {
    return drop(x, key);
  }

  /// The weighted sum of each lane's target losses, nats, [lane].
  virtual at::Tensor losses(const at::Tensor& hidden, const OutputHead& head,
                            const std::vector<train::LaneTargets>& targets) const = 0;
};

/// Added to the mean square in every norm.
constexpr double kNormEpsilon = 1e-5;

}  // namespace ablate::models
