// A stack of blocks; the operations supply the backward pass.

#include "models/layers/stack.h"

#include <fmt/core.h>

#include <cmath>

namespace ablate::models {

Stack::Stack(Parameters& parameters, const Shape& shape, const Blocks& blocks, std::int64_t writing)
    : Stack(parameters, shape) {
  const double scale = 1 / std::sqrt(static_cast<double>(writing));
  blocks_.reserve(static_cast<std::size_t>(blocks.count));
  for (std::int64_t i = 0; i < blocks.count; ++i) {
    const std::int64_t layer = blocks.layer + i;
    const LayerSite site = {
        .parameters = parameters,
        .shape = shape,
        .name = fmt::format("{}block.{}.", blocks.prefix, blocks.first + i),
        .output_scale = scale,
        .before = shape.with_mixer_of(layer, blocks.layer, layer),
        .count = shape.with_mixer_of(layer, blocks.layer, blocks.layer + blocks.count)};
    Block block;
    block.mixer_norm = parameters.add_gain(site.name + "attention_norm", shape.width);
    block.mixer = build_mixer(shape.mixer(layer), site);
    if (const FeedForwardSpec* const spec = shape.feed_forward(layer)) {
      block.feed_forward_norm = parameters.add_gain(site.name + "feed_forward_norm", shape.width);
      block.feed_forward = build_feed_forward(*spec, site);
    }
    blocks_.push_back(std::move(block));
  }
}

Stack Stack::decoder(Parameters& parameters, const Shape& shape, std::int64_t count,
                     std::int64_t writing, const Stack* shared) {
  Stack stack = shared == nullptr ? Stack(parameters, shape, {.count = count}, writing)
                                  : Stack(parameters, shape);
  if (shared != nullptr) stack.blocks_ = shared->blocks_;
  const double scale = 1 / std::sqrt(static_cast<double>(writing));
  const std::int64_t width = shape.width;
  for (std::size_t index = 0; index < stack.blocks_.size(); ++index) {
    const std::string name = fmt::format("block.{}.", index);
    Block& block = stack.blocks_[index];
    block.cross_norm = parameters.add_gain(name + "cross_norm", width);
    block.cross_q = parameters.add_matrix(name + "cross_q", width, width);
    block.cross_kv = parameters.add_matrix(name + "cross_kv", 2 * width, width);
    block.cross_out = parameters.add_matrix(name + "cross_out", width, width, scale);
  }
  return stack;
}

ResidualStream Stack::run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums,
                          const Memory* memory) const {
  for (const Block& block : blocks_) {
    residual = mix(pass, residual, block, sums);
    if (memory != nullptr) residual = attend_across(pass, residual, block, *memory);
    if (pass.wanted != nullptr && --pass.wanted->blocks == 0)
      residual = residual.at(pass.wanted->positions);
    residual = feed_forward(pass, residual, block);
  }
  return residual;
}

Normed Stack::normed(const Pass& pass, const ResidualStream& residual, std::size_t gain) const {
  return pass.operations.add_norm(residual.stream, residual.delta, parameters_->value(gain), norm_,
                                  pass.type);
}

ResidualStream Stack::mix(Pass& pass, const ResidualStream& residual, const Block& block,
                          std::vector<at::Tensor>* sums) const {
  const Normed before = normed(pass, residual, block.mixer_norm);
  if (sums != nullptr) sums->push_back(before.sum);
  const at::Tensor mixed = pass.step == nullptr
                               ? block.mixer->mixed(pass, before.normed)
                               : block.mixer->stepped(pass, before.normed, pass.step->next());
  return {before.sum, pass.dropped(mixed)};
}

ResidualStream Stack::attend_across(Pass& pass, const ResidualStream& residual, const Block& block,
                                    const Memory& memory) const {
  const Operations& op = pass.operations;
  const Normed before = normed(pass, residual, block.cross_norm);
  const at::Tensor queries = op.linear(before.normed, parameters_->matrix(block.cross_q));
  const auto read_states = [&] {
    return op.linear(memory.states, parameters_->matrix(block.cross_kv));
  };
  at::Tensor read;
  if (pass.step == nullptr) {
    read = read_states();
  } else {
    std::vector<at::Tensor>& kept = pass.step->next();
    if (pass.step->first) kept = {read_states()};
    read = kept.at(0);
  }
  const at::Tensor seen = op.cross_attention(queries, read, memory.mask);
  return {before.sum, pass.dropped(op.linear(seen, parameters_->matrix(block.cross_out)))};
}

ResidualStream Stack::feed_forward(Pass& pass, const ResidualStream& residual,
                                   const Block& block) const {
  if (block.feed_forward == nullptr) {
    ++pass.layer;
    return residual;
  }
  const Normed between = normed(pass, residual, block.feed_forward_norm);
  return {between.sum, pass.dropped(block.feed_forward->fed(pass, between.normed))};
}

}  // namespace ablate::models
