// The parameters of a network as its layers declare them.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/train/network/network.h"
#include "models/operations/low_precision.h"

namespace ablate::models {

/// How a parameter starts.
struct Initial {
  double deviation = 0;
  double constant = 0;  // where deviation is 0
  bool decayed = true;
};

/// The parameters of all lanes, and what products read of them.
class Parameters {
 public:
  /// `low_precision`: products read bfloat16 copies of the float32 masters, for devices that do not
  /// convert on the way.
  Parameters(std::int64_t lanes, at::Device device, bool low_precision);

  /// Adds one of `sizes` a lane; returns its index.
  std::size_t add(std::string name, std::vector<std::int64_t> sizes, Initial initial);

  /// Adds a matrix [out, in] that keeps the size of what passes through it, times `scale`.
  std::size_t add_matrix(std::string name, std::int64_t out, std::int64_t in, double scale = 1);

  /// Adds the gains of a norm.
  std::size_t add_gain(std::string name, std::int64_t width);

  std::vector<train::Parameter>& all() { return all_; }
  const at::Tensor& value(std::size_t index) const { return all_[index].value; }

  /// What products read of a parameter.
  at::Tensor matrix(std::size_t index) const;

  /// The masters have changed.
  void renew();

 private:
  std::int64_t lanes_;
  at::Device device_;
  std::unique_ptr<LowPrecision> low_;  // null: products read the masters
  std::vector<train::Parameter> all_;
};

}  // namespace ablate::models
