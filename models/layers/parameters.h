// The parameters of a network as its layers declare them.

#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/rng.h"
#include "harness/train/network/network.h"
#include "models/operations/low_precision.h"

namespace ablate::models {

/// The initial values of a parameter.
struct Initial {
  double deviation = 0;  // standard deviation of a normal distribution
  double constant = 0;   // the value if deviation is 0
  bool decayed = true;   // whether weight decay applies
  double at_most = std::numeric_limits<double>::infinity();  // what an update leaves of a value
  train::InitialDistribution distribution =
      {};           // draws the values, in place of the first two; empty: none
  double rate = 1;  // its learning rate, as a multiple of the lane's
};

/// The parameters of all lanes, and their copies for low-precision products.
class Parameters {
 public:
  /// No parameters yet. `low_precision`: products read bfloat16 copies of the float32 masters, for
  /// devices whose products do not convert their inputs.
  Parameters(std::int64_t lanes, at::Device device, bool low_precision);

  /// Adds a parameter [lane, sizes...]; returns its index. Throws std::invalid_argument where there is one of
  /// that name.
  std::size_t add(std::string name, std::vector<std::int64_t> sizes, Initial initial);

  /// Adds a matrix [lane, out, in] with standard deviation scale / sqrt(in), so that outputs are
  /// about `scale` times as large as inputs; returns its index.
  std::size_t add_matrix(std::string name, std::int64_t out, std::int64_t in, double scale = 1);

  /// Adds `count` such matrices as one parameter, [lane, count, out, in]; returns its index.
  std::size_t add_matrices(std::string name, std::int64_t count, std::int64_t out, std::int64_t in,
                           double scale = 1);

  /// Adds the gains of a norm, [lane, width], initially 1; returns their index.
  std::size_t add_gain(std::string name, std::int64_t width);

  std::vector<train::Parameter>& all() { return all_; }  // by index

  /// The float32 master of a parameter.
  const at::Tensor& value(std::size_t index) const { return all_[index].value; }

  /// The tensor that products read: the master, or its low-precision copy.
  at::Tensor matrix(std::size_t index) const;

  /// Updates the low-precision copies; call after every change of the masters.
  void renew();

 private:
  std::int64_t lanes_;
  at::Device device_;
  std::unique_ptr<LowPrecision> low_;  // null: products read the masters
  std::vector<train::Parameter> all_;
};

}  // namespace ablate::models
