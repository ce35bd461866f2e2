// Moves the parameters of a network into one buffer.

#include "harness/train/network/flat.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <fmt/core.h>

#include <stdexcept>

namespace ablate::train {

FlatParameters::FlatParameters(std::vector<Parameter>& parameters) {
  const c10::NoGradGuard no_gradient;
  if (parameters.empty()) throw std::logic_error("train: the network has no parameters");
  if (parameters[0].value.dim() > 0) lanes_ = parameters[0].value.size(0);
  for (const Parameter& parameter : parameters) {
    const auto sizes = parameter.value.sizes();
    if (sizes.empty() || sizes[0] != lanes_)
      throw std::logic_error(fmt::format("train: parameter {} has no leading dimension of {} lanes",
                                         parameter.name, lanes_));
    pieces_.push_back({parameter.name, sizes.slice(1).vec(), 0, parameter.value.numel() / lanes_,
                       parameter.decayed, parameter.at_most, parameter.rate});
  }
  decayed_size_ = place(true, 0);
  const std::int64_t size = place(false, decayed_size_);
  values_ = at::empty({lanes_, size}, parameters[0].value.options().requires_grad(false));
  gradient_ = at::zeros_like(values_);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    at::Tensor& value = parameters[i].value;
    const auto view_of = [&](const at::Tensor& flat) {
      return flat.narrow(1, pieces_[i].first, pieces_[i].size).view(value.sizes()).detach();
    };
    const at::Tensor view = view_of(values_);
    view.copy_(value);
    value.set_data(view);  // the network may hold the same tensor elsewhere
    value.mutable_grad() = view_of(gradient_);
  }
}

std::int64_t FlatParameters::place(bool decayed, std::int64_t at) {
  for (Piece& piece : pieces_)
    if (piece.decayed == decayed) {
      piece.first = at;
      at += piece.size;
    }
  return at;
}

}  // namespace ablate::train
