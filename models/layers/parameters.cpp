// The parameters of a network as its layers declare them.

#include "models/layers/parameters.h"

#include <ATen/Functions.h>

#include <cmath>

#include "harness/base/error.h"

namespace ablate::models {
namespace {

/// The initial values of a matrix that reads `in` units.
Initial of_matrix(std::int64_t in, double scale) {
  return {.deviation = scale / std::sqrt(static_cast<double>(in))};
}

}  // namespace

Parameters::Parameters(std::int64_t lanes, at::Device device, bool low_precision)
    : lanes_(lanes), device_(device) {
  if (low_precision) low_ = std::make_unique<LowPrecision>(at::kBFloat16);
}

std::size_t Parameters::add(std::string name, std::vector<std::int64_t> sizes, Initial initial) {
  for (const train::Parameter& other : all_)
    if (other.name == name)
      reject(
          "two parts of the network have parameters named {}: initial weights and checkpoints know "
          "parameters by their names. "
          "Phases that ask for one kind of head with different settings do so; give them the same "
          "settings",
          name);
  sizes.insert(sizes.begin(), lanes_);
  const at::TensorOptions options = at::TensorOptions().dtype(at::kFloat).device(device_);
  at::Tensor value = at::full(sizes, initial.constant, options);
  value.requires_grad_(true);
  all_.push_back({std::move(name), value, initial.deviation, initial.constant, initial.decayed,
                  initial.at_most, std::move(initial.distribution), initial.rate});
  return all_.size() - 1;
}

std::size_t Parameters::add_matrix(std::string name, std::int64_t out, std::int64_t in,
                                   double scale) {
  return add(std::move(name), {out, in}, of_matrix(in, scale));
}

std::size_t Parameters::add_matrices(std::string name, std::int64_t count, std::int64_t out,
                                     std::int64_t in, double scale) {
  return add(std::move(name), {count, out, in}, of_matrix(in, scale));
}

std::size_t Parameters::add_gain(std::string name, std::int64_t width) {
  return add(std::move(name), {width}, {.constant = 1, .decayed = false});
}

at::Tensor Parameters::matrix(std::size_t index) const {
  return low_ ? low_->of(index, value(index)) : value(index);
}

void Parameters::renew() {
  if (!low_) return;
  // The copies are made before the first activations: made among them, they would keep each segment
  // of a device's memory that they lie in.
  for (std::size_t index = 0; index < all_.size(); ++index)
    if (all_[index].decayed) static_cast<void>(low_->of(index, value(index)));
  low_->renew();
}

}  // namespace ablate::models
