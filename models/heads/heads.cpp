// Builds the heads of a network, and runs them forward and backward.

#include "models/heads/heads.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <map>

#include "models/specs/head_specs.h"
#include "models/specs/heads.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name) std::unique_ptr<Head> build_##name##_head(const HeadSite& site);
ABLATE_HEADS(ABLATE_DECLARE)
#undef ABLATE_DECLARE

namespace {

const std::map<std::string_view, HeadBuilder>& head_builders() {
#define ABLATE_ROW(name) {#name, build_##name##_head},
  static const std::map<std::string_view, HeadBuilder> all = {ABLATE_HEADS(ABLATE_ROW)};
#undef ABLATE_ROW
  return all;
}

/// A new leaf with the same values, cut off from the graph.
at::Tensor cut_off(const at::Tensor& stream) { return stream.detach().requires_grad_(true); }

/// Whether no lane has targets of the head, as in phases that do not train it.
bool scores_nothing(const train::HeadTargets& targets) {
  return std::all_of(targets.begin(), targets.end(),
                     [](const train::LaneTargets& lane) { return lane.positions.size(0) == 0; });
}

/// A head after its forward pass, before its backward pass.
struct Forward {
  at::Tensor leaf;  // what it started from
  HeadState state;
};

}  // namespace

Heads::Heads(Bank& bank, const Embeddings& embeddings, const Shape& shape,
             const std::vector<HeadNeed>& needs)
    : needs_(known_heads(needs, head_specs())) {
  std::int64_t layer = shape.trunk;
  for (const HeadNeed& need : needs_) {
    heads_.push_back(head_builders().at(need.kind)(
        {bank, embeddings, shape, std::ssize(heads_), layer, need.settings()}));
    layer += need.traits.blocks;
  }
  output_ = std::make_unique<Output>(bank, embeddings, shape);
  for (const std::unique_ptr<Head>& head : heads_) head->finish(*output_);
}

Normed Heads::last(Pass& pass, ResidualStream trunk, std::vector<at::Tensor>* sums) const {
  return output_->last(heads_.front()->run(pass, std::move(trunk), sums));
}

std::optional<std::size_t> Heads::filler(const std::vector<train::HeadTargets>& targets) const {
  for (std::size_t head = 0; head < heads_.size(); ++head)
    if (needs_[head].traits.fills && !scores_nothing(targets[head])) return head;
  return std::nullopt;
}

train::Filled Heads::filled(train::Inputs inputs, std::vector<train::HeadTargets> targets,
                            const Filling& filling) const {
  inputs.tokens = filling.tokens;
  for (std::size_t head = 0; head < heads_.size(); ++head) {
    if (!needs_[head].traits.fills) {
      targets[head] = heads_[head]->of_filled(std::move(targets[head]), filling);
      continue;
    }
    for (train::LaneTargets& lane : targets[head])
      lane = {lane.positions.narrow(0, 0, 0), lane.targets.narrow(0, 0, 0),
              lane.weights.narrow(0, 0, 0)};
  }
  return {std::move(inputs), std::move(targets)};
}

at::Tensor Heads::accumulate(const at::Tensor& trunk, const train::Inputs& inputs,
                             const std::vector<train::HeadTargets>& targets,
                             const at::Tensor& scales) const {
  const at::Tensor leaf = cut_off(trunk);
  std::vector<at::Tensor> totals(heads_.size());
  for (std::size_t first = 0, end = 1; first < heads_.size(); first = end++) {
    while (end < heads_.size() && continues(end)) ++end;
    if (std::all_of(targets.begin() + first, targets.begin() + end, scores_nothing)) {
      std::fill(totals.begin() + first, totals.begin() + end, at::zeros_like(scales.select(0, 0)));
      continue;
    }
    // Heads that continue each other run forward from first to last, and backward in reverse.
    std::vector<Forward> chain;
    for (std::size_t head = first; head < end; ++head) {
      const at::Tensor from = head == first ? leaf : cut_off(chain.back().state.stream);
      chain.push_back({from, heads_[head]->state(from, inputs)});
    }
    at::Tensor of_next;  // the gradient at the start of the head that ran backward last
    for (std::size_t head = end; head-- > first; chain.pop_back()) {
      const auto& [from, state] = chain.back();
      const at::Tensor total = heads_[head]->losses(state.hidden, targets[head]);
      const at::Tensor scale = scales.select(0, static_cast<std::int64_t>(head));
      if (end - first == 1) {
        total.backward(scale);
      } else {
        at::Tensor asked = (total * scale).sum();
        if (of_next.defined()) asked = asked + (state.stream * of_next).sum();
        asked.backward();
      }
      of_next = from.grad();
      totals[head] = total.detach();
    }
  }
  if (leaf.grad().defined()) trunk.backward(leaf.grad());  // else the step scored nothing
  return at::stack(totals);
}

}  // namespace ablate::models
