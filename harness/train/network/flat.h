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
/// between steps and never reset a parameter's own gradient. A lane's elements are adjacent, and in
/// each lane those that weight decay applies to come first: what differs by lane is then a column
/// [lane, 1] that is broadcast. So a parameter [lane, ...] is contiguous within each lane, and its
/// stride from lane to lane is lane_size().
class FlatParameters {
 public:
  /// Copies the parameters into one buffer and makes them views of it. Requires: they outlive this
  /// object and are not replaced. Throws std::logic_error where there are none, or where one has
  /// another number of lanes than the first.
  explicit FlatParameters(std::vector<Parameter>& parameters);

  /// One parameter: elements [first, first + size) of every lane.
  struct Piece {
    std::string name;
    std::vector<std::int64_t> shape;  // of one lane
    std::int64_t first = 0;
    std::int64_t size = 0;
    bool decayed = true;                                       // whether weight decay applies
    double at_most = std::numeric_limits<double>::infinity();  // as Parameter
    double rate = 1;                                           // the same
  };

  /// The parameters, in the given order.
  const std::vector<Piece>& pieces() const { return pieces_; }

  /// The number of lanes.
  std::int64_t lanes() const { return lanes_; }

  /// The number of elements of one lane.
  std::int64_t lane_size() const { return values_.size(1); }

  /// The number of elements of one lane that weight decay applies to: its first.
  std::int64_t decayed_size() const { return decayed_size_; }

  const at::Tensor& values() const { return values_; }      // float32 [lane, lane size]
  const at::Tensor& gradient() const { return gradient_; }  // the same

 private:
  /// Places the pieces that are decayed, or those that are not, from `at` on; returns their end.
  std::int64_t place(bool decayed, std::int64_t at);

  std::vector<Piece> pieces_;
  std::int64_t lanes_ = 0;
  std::int64_t decayed_size_ = 0;
  at::Tensor values_, gradient_;
};

}  // namespace ablate::train
