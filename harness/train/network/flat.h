// The parameters of a bank as one buffer, so that the optimizer is one pass over memory.

#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "harness/train/network/network.h"

namespace ablate::train {

/// Owns values and gradient of a network's parameters; the parameters become views of them.
///
/// The parameters stay leaves of their own that alias the buffer (slices of one leaf would each
/// cost a copy of the whole in backward), and so do their gradients: whoever trains sets
/// `gradient()` to 0 and never resets a parameter's own. One parameter's lanes follow one another,
/// so that each parameter stays contiguous, [lane, ...].
class FlatParameters {
 public:
  explicit FlatParameters(Network& network);

  /// One parameter. Lane l of it is at [first + l * size, first + (l + 1) * size).
  struct Piece {
    std::string name;
    std::vector<std::int64_t> shape;  // of one lane
    std::int64_t first = 0;
    std::int64_t size = 0;  // of one lane
    bool decayed = true;
  };

  const std::vector<Piece>& pieces() const { return pieces_; }
  std::int64_t lanes() const { return lanes_; }
  std::int64_t lane_size() const { return values_.numel() / lanes_; }
  const at::Tensor& values() const { return values_; }      // float32 [lanes * lane size]
  const at::Tensor& gradient() const { return gradient_; }  // the same

 private:
  std::vector<Piece> pieces_;
  std::int64_t lanes_;
  at::Tensor values_, gradient_;
};

}  // namespace ablate::train
