// The weights of RWKV-7's time mixing.

#pragma once

#include <vector>

#include "models/layers/layer.h"
#include "models/specs/mixers/rwkv7_sizes.h"

namespace ablate::models {

/// The weights of some lanes but those of the output; vectors [lane, 1, 1, width] in the type of sums.
struct Rwkv7Weights {
  at::Tensor in;  // [lane, projected, 2 * width]: of a position, and of the one before it
  at::Tensor decay_up, rate_up, value_up, gate_up;  // [lane, width, rank]
  at::Tensor decay, rate, value, removed_key, key_rate, bonus, head_norm, head_bias;

  /// Those of `together` lanes each.
  std::vector<Rwkv7Weights> split(std::int64_t together) const;
};

/// The parameters of a layer, with the initial values, rates and decays of RWKV-7's code.
class Rwkv7Parameters {
 public:
  explicit Rwkv7Parameters(const LayerSite& site);

  /// Whether the layer is the first of its kind in its stack, which mixes no values.
  bool first() const { return first_; }

  /// The widths of what Rwkv7Weights::in makes: receptance, key, value, and the ranks of decay, rate, gate and,
  /// but in the first layer, value.
  std::vector<std::int64_t> stream_widths() const;

  /// The weights of all lanes, for activations of a type.
  Rwkv7Weights weights(at::ScalarType activations) const;

  /// The matrix of the output.
  at::Tensor out() const { return parameters_.matrix(out_); }

 private:
  /// The two matrices of a product of low rank.
  struct Pair {
    std::size_t down = 0, up = 0;
  };

  /// The matrices of all streams. What a stream reads of the position before goes into its matrix, so that
  /// one product makes all streams.
  at::Tensor streams(at::ScalarType activations) const;

  const Parameters& parameters_;
  std::int64_t width_;
  bool first_;
  Rwkv7Ranks ranks_;
  Pair decays_, rates_, values_, gates_;
  std::size_t shift_ = 0, receptance_ = 0, key_ = 0, value_ = 0, first_value_ = 0, decay_ = 0,
              rate_ = 0, removed_key_ = 0, key_rate_ = 0, bonus_ = 0, head_norm_ = 0,
              head_bias_ = 0, out_ = 0;
};

}  // namespace ablate::models
