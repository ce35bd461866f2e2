// A bank's parameters in one buffer, so that the optimizer makes one pass over memory.

#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "harness/train/network/network.h"

namespace ablate::train {

/// Owns the values and gradients of a network's parameters; the parameters become views of them.
///
/// Each parameter remains a separate leaf that aliases the buffer (slices of one leaf would each
/// copy the complete buffer in the backward pass), and so do the gradients. Set `gradient()` to 0
/// between steps and never reset a parameter's own gradient. The lanes of one parameter are
/// adjacent, so that each parameter stays contiguous, [lane, ...].
class FlatParameters {
 public:
  /// Copies the network's parameters into one buffer and makes them views of it. Requires: the
  /// network's parameters are not replaced. Throws std::logic_error where it has none, or one lacks
  /// the lane dimension.
  explicit FlatParameters(Network& network);

  /// One parameter. Its lane l is at [first + l * size, first + (l + 1) * size).
  struct Piece {
    std::string name;
    std::vector<std::int64_t> shape;  // of one lane
    std::int64_t first = 0;
    std::int64_t size = 0;  // of one lane
    bool decayed = true;    // whether weight decay applies
  };

  /// The parameters, in the network's order.
  const std::vector<Piece>& pieces() const { return pieces_; }

  /// The number of lanes.
  std::int64_t lanes() const { return lanes_; }

  /// The number of elements of one lane.
  std::int64_t lane_size() const { return values_.numel() / lanes_; }

  const at::Tensor& values() const { return values_; }      // float32 [lanes * lane size]
  const at::Tensor& gradient() const { return gradient_; }  // the same

 private:
  std::vector<Piece> pieces_;
  std::int64_t lanes_;
  at::Tensor values_, gradient_;
};

}  // namespace ablate::train
