// One forward and backward pass of a bank, through all of its heads.

#include "harness/train/step/backward.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>

namespace ablate::train {
namespace {

/// A new leaf with the same values, cut off from the graph.
at::Tensor cut_off(const at::Tensor& stream) { return stream.detach().requires_grad_(true); }

at::Tensor losses_of(Network& network, const HeadNeed& need, const at::Tensor& hidden,
                     const HeadTargets& targets) {
  return need.head == Head::pair ? pair_losses(network, hidden, targets)
                                 : network.losses(hidden, targets);
}

/// Heads that all start from the trunk's stream: each runs forward and backward before the next.
std::vector<at::Tensor> parallel(Network& network, const std::vector<HeadNeed>& needs,
                                 const Inputs& inputs, const std::vector<HeadTargets>& targets,
                                 const at::Tensor& scales, const at::Tensor& leaf) {
  std::vector<at::Tensor> totals;
  for (std::size_t head = 0; head < needs.size(); ++head) {
    const HeadState state = network.state(head, leaf, inputs);
    const at::Tensor total = losses_of(network, needs[head], state.hidden, targets[head]);
    total.backward(scales.select(0, static_cast<std::int64_t>(head)));
    totals.push_back(total.detach());
  }
  return totals;
}

/// Heads that each start from the previous one: forward from first to last, backward in reverse.
std::vector<at::Tensor> chained(Network& network, const std::vector<HeadNeed>& needs,
                                const Inputs& inputs, const std::vector<HeadTargets>& targets,
                                const at::Tensor& scales, const at::Tensor& leaf) {
  std::vector<at::Tensor> leaves = {leaf};
  std::vector<HeadState> states;
  for (std::size_t head = 0; head < needs.size(); ++head) {
    states.push_back(network.state(head, leaves[head], inputs));
    leaves.push_back(cut_off(states[head].stream));
  }
  std::vector<at::Tensor> totals(needs.size());
  for (std::size_t head = needs.size(); head-- > 0;) {
    const at::Tensor total = losses_of(network, needs[head], states[head].hidden, targets[head]);
    at::Tensor asked = (total * scales.select(0, static_cast<std::int64_t>(head))).sum();
    const at::Tensor& of_next = leaves[head + 1].grad();
    if (of_next.defined()) asked = asked + (states[head].stream * of_next).sum();
    asked.backward();
    states[head] = {};
    totals[head] = total.detach();
  }
  return totals;
}

}  // namespace

at::Tensor pair_losses(Network& network, const at::Tensor& hidden, const HeadTargets& targets) {
  const auto lanes = static_cast<std::int64_t>(targets.size());
  // On the CPU lane by lane: a lane's bits then do not depend on the others, nor do its targets have
  // to be as many as theirs.
  const std::int64_t together = hidden.is_cpu() ? 1 : lanes;
  std::vector<at::Tensor> losses;
  for (std::int64_t first = 0; first < lanes; first += together) {
    std::vector<at::Tensor> positions, classes, weights;
    for (std::int64_t lane = first; lane < first + together; ++lane) {
      const LaneTargets& own = targets[static_cast<std::size_t>(lane)];
      positions.push_back(own.positions);
      classes.push_back(own.targets);
      weights.push_back(own.weights);
    }
    const at::Tensor logits = network.pair_logits(hidden, first, at::stack(positions));
    const at::Tensor each = at::nll_loss(logits.flatten(0, 1).log_softmax(-1),
                                         at::stack(classes).flatten(), {}, at::Reduction::None);
    losses.push_back((each.view({together, -1}) * at::stack(weights)).sum(-1));
  }
  return at::cat(losses);
}

at::Tensor backpropagate(Network& network, const std::vector<HeadNeed>& needs, const Inputs& inputs,
                         const std::vector<HeadTargets>& targets, const at::Tensor& scales) {
  if (needs.size() == 1) {
    const at::Tensor total = network.losses(network.hidden(inputs), targets[0]);
    total.backward(scales.select(0, 0));
    return total.detach().unsqueeze(0);
  }
  const at::Tensor trunk = network.trunk(inputs);
  const at::Tensor leaf = cut_off(trunk);
  const std::vector<at::Tensor> totals =
      (network.chained() ? chained : parallel)(network, needs, inputs, targets, scales, leaf);
  trunk.backward(leaf.grad());
  return at::stack(totals);
}

}  // namespace ablate::train
