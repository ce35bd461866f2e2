// A head as it is by default.

#include "models/heads/head.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::models {

Head::Head(const HeadSite& site)
    : bank_(site.bank),
      embeddings_(site.embeddings),
      shape_(site.shape),
      number_(site.number),
      layer_(site.layer) {}

void Head::add_block(const std::string& prefix, std::int64_t index) {
  block_.emplace(bank_.parameters, shape_, Blocks{prefix, index, 1, layer_},
                 writing_layers(shape_, shape_.trunk + shape_.first));
}

ResidualStream Head::run(Pass& pass, ResidualStream residual, std::vector<at::Tensor>* sums) const {
  return block_ ? block_->run(pass, std::move(residual), sums) : residual;
}

HeadState Head::state(const at::Tensor& from, const train::Inputs& inputs) const {
  const ResidualStream entered = {enter(from, inputs), {}};
  Normed last;
  if (block_) {
    // Each head has its own dropout indices; those of the first follow the trunk's.
    Pass pass = embeddings_.pass(inputs, 2 * (shape_.trunk + number_));
    last = output_->last(block_->run(pass, entered, nullptr));
  } else {
    last = output_->last(entered);
  }
  return {last.sum, leave(last.normed)};
}

at::Tensor Head::enter(const at::Tensor& from, const train::Inputs&) const { return from; }

at::Tensor Head::later(const at::Tensor& tokens, std::int64_t steps) {
  const std::int64_t by = std::min(steps, tokens.size(2));
  const at::Tensor moved = tokens.roll({-by}, {2});
  moved.narrow(2, tokens.size(2) - by, by).fill_(static_cast<std::int64_t>(pad_token));
  return moved;
}

Filling Head::filling(const at::Tensor&, const train::Inputs&, const train::HeadTargets&) const {
  throw std::logic_error("a head of this kind fills no masks");
}

at::Tensor Head::losses(const at::Tensor& hidden, const train::HeadTargets& targets) const {
  return output_->losses(hidden, targets);
}

train::TargetCosts Head::costs(const at::Tensor& hidden, std::int64_t lane,
                               const train::LaneTargets& targets) const {
  return train::costs_under(logits(hidden, lane, targets.positions), targets.targets);
}

at::Tensor Head::logits(const at::Tensor& hidden, std::int64_t lane,
                        const at::Tensor& positions) const {
  return output_->logits(hidden, lane, positions);
}

}  // namespace ablate::models
