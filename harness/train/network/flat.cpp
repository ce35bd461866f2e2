// Moves the parameters of a network into one buffer.

#include "harness/train/network/flat.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <fmt/core.h>

#include <stdexcept>

namespace ablate::train {

FlatParameters::FlatParameters(Network& network) : lanes_(network.lanes()) {
  const c10::NoGradGuard no_gradient;
  std::int64_t total = 0;
  for (const Parameter& parameter : network.parameters()) {
    const auto sizes = parameter.value.sizes();
    if (sizes.empty() || sizes[0] != lanes_)
      throw std::logic_error(fmt::format("train: parameter {} has no leading dimension of {} lanes",
                                         parameter.name, lanes_));
    const std::int64_t size = parameter.value.numel() / lanes_;
    pieces_.push_back({parameter.name, sizes.slice(1).vec(), total, size, parameter.decayed});
    total += parameter.value.numel();
  }
  if (pieces_.empty()) throw std::logic_error("train: the network has no parameters");
  values_ = at::empty({total}, network.parameters()[0].value.options().requires_grad(false));
  gradient_ = at::zeros_like(values_);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    at::Tensor& value = network.parameters()[i].value;
    const auto view_of = [&](const at::Tensor& flat) {
      return flat.narrow(0, pieces_[i].first, value.numel()).view(value.sizes()).detach();
    };
    const at::Tensor view = view_of(values_);
    view.copy_(value);
    value.set_data(view);  // the network may hold the same tensor elsewhere
    value.mutable_grad() = view_of(gradient_);
  }
}

}  // namespace ablate::train
