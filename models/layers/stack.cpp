// A stack of transformer blocks; the operations supply the backward pass.

#include "models/layers/stack.h"

#include <ATen/TensorOperators.h>
#include <fmt/core.h>

#include <cmath>

namespace ablate::models {
namespace {

Norm norm_of(const TransformerShape& shape) { return shape.rms_norm ? Norm::rms : Norm::layer; }

}  // namespace

at::Tensor ResidualStream::sum() const {
  return delta.defined() ? stream + delta.to(stream.scalar_type()) : stream;
}

at::Tensor Pass::dropped(const at::Tensor& x) {
  return operations.dropped(
      x, {inputs.dropout, inputs.seeds, inputs.step, inputs.first_row, layer++, inputs.keys});
}

Stack::Stack(Parameters& parameters, const TransformerShape& shape, const std::string& prefix,
             std::int64_t first, std::int64_t count, double layers)
    : Stack(parameters, shape) {
  const double scale = 1 / std::sqrt(layers);
  const std::int64_t width = shape.width;
  for (std::int64_t index = first; index < first + count; ++index) {
    const std::string name = fmt::format("{}block.{}.", prefix, index);
    Block block;
    block.attention_norm = parameters.add_gain(name + "attention_norm", width);
    block.qkv = parameters.add_matrix(name + "qkv", 3 * width, width);
    block.out = parameters.add_matrix(name + "out", width, width, scale);
    block.feed_forward_norm = parameters.add_gain(name + "feed_forward_norm", width);
    block.up = parameters.add_matrix(name + "up", (shape.swiglu ? 2 : 1) * shape.hidden, width);
    block.down = parameters.add_matrix(name + "down", width, shape.hidden, scale);
    blocks_.push_back(block);
  }
}

Stack Stack::decoder(Parameters& parameters, const TransformerShape& shape, std::int64_t count,
                     double layers, const Stack* shared) {
  Stack stack =
      shared == nullptr ? Stack(parameters, shape, "", 0, count, layers) : Stack(parameters, shape);
  if (shared != nullptr) stack.blocks_ = shared->blocks_;
  const std::int64_t width = shape.width;
  for (std::size_t index = 0; index < stack.blocks_.size(); ++index) {
    const std::string name = fmt::format("block.{}.", index);
    Block& block = stack.blocks_[index];
    block.cross_norm = parameters.add_gain(name + "cross_norm", width);
    block.cross_q = parameters.add_matrix(name + "cross_q", width, width);
    block.cross_kv = parameters.add_matrix(name + "cross_kv", 2 * width, width);
    block.cross_out =
        parameters.add_matrix(name + "cross_out", width, width, 1 / std::sqrt(layers));
  }
  return stack;
}

ResidualStream Stack::run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums,
                          const Memory* memory) const {
  for (const Block& block : blocks_) {
    residual = attend(pass, residual, block, sums);
    if (memory != nullptr) residual = attend_across(pass, residual, block, *memory);
    residual = feed_forward(pass, residual, block);
  }
  return residual;
}

ResidualStream Stack::attend(Pass& pass, const ResidualStream& residual, const Block& block,
                             std::vector<at::Tensor>* sums) const {
  const Operations& op = pass.operations;
  const Normed before =
      op.add_norm(residual.stream, residual.delta, parameters_->value(block.attention_norm),
                  norm_of(shape_), pass.type);
  if (sums != nullptr) sums->push_back(before.sum);
  const at::Tensor seen =
      op.attention(op.linear(before.normed, parameters_->matrix(block.qkv)), pass.mask);
  return {before.sum, pass.dropped(op.linear(seen, parameters_->matrix(block.out)))};
}

ResidualStream Stack::attend_across(Pass& pass, const ResidualStream& residual, const Block& block,
                                    const Memory& memory) const {
  const Operations& op = pass.operations;
  const Normed before =
      op.add_norm(residual.stream, residual.delta, parameters_->value(block.cross_norm),
                  norm_of(shape_), pass.type);
  const at::Tensor queries = op.linear(before.normed, parameters_->matrix(block.cross_q));
  const at::Tensor read = op.linear(memory.states, parameters_->matrix(block.cross_kv));
  const at::Tensor seen = op.cross_attention(queries, read, memory.mask);
  return {before.sum, pass.dropped(op.linear(seen, parameters_->matrix(block.cross_out)))};
}

ResidualStream Stack::feed_forward(Pass& pass, const ResidualStream& residual,
                                   const Block& block) const {
  const Operations& op = pass.operations;
  const Activation activation = shape_.swiglu ? Activation::swiglu : Activation::gelu;
  const Normed between =
      op.add_norm(residual.stream, residual.delta, parameters_->value(block.feed_forward_norm),
                  norm_of(shape_), pass.type);
  const at::Tensor units = op.activated(between.normed, parameters_->matrix(block.up), activation);
  return {between.sum, pass.dropped(op.linear(units, parameters_->matrix(block.down)))};
}

}  // namespace ablate::models
