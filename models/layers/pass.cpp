// What a forward pass hands from layer to layer.

#include "models/layers/pass.h"

#include <ATen/TensorOperators.h>

namespace ablate::models {

at::Tensor ResidualStream::sum() const {
  return delta.defined() ? stream + delta.to(stream.scalar_type()) : stream;
}

ResidualStream ResidualStream::at(const at::Tensor& positions) const {
  const auto chosen = [&](const at::Tensor& all) {
    return all.defined() ? all.flatten(1, 2).index_select(1, positions).unsqueeze(1) : all;
  };
  return {chosen(stream), chosen(delta)};
}

at::Tensor Pass::dropped(const at::Tensor& x) {
  return operations.dropped(
      x, {inputs.dropout, inputs.seeds, inputs.step, inputs.first_row, layer++, inputs.keys});
}

}  // namespace ablate::models
