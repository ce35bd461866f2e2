#include "models/heads/shaped_losses.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/lane_rows.h"

namespace ablate::models {
namespace {

/// What (1 - q)^g is computed of at least: where q is 1, the gradient of a power below 1 is not a number.
constexpr double kLeastMiss = 1e-12;

/// The shaped loss of each target [lane, scored], given the log-probabilities of all tokens [lane,
/// scored, vocabulary], the targets' plain losses, and log Z.
at::Tensor shaped(const TrainingLoss& loss, const at::Tensor& logs, const at::Tensor& plain,
                  const at::Tensor& log_sum) {
  at::Tensor cost = plain;
  if (loss.label_smoothing > 0)
    cost = plain * (1 - loss.label_smoothing) - logs.mean(-1) * loss.label_smoothing;
  if (loss.focal > 0) cost = plain * (-(-plain).expm1()).clamp_min(kLeastMiss).pow(loss.focal);
  if (loss.entropy_weight > 0) {
    const at::Tensor fixed = logs.detach();
    const at::Tensor entropy = -(fixed.exp() * fixed).sum(-1);
    cost = plain * (entropy + 1).pow(loss.entropy_weight);
  }
  return loss.z > 0 ? cost + log_sum.square() * loss.z : cost;
}

}  // namespace

at::Tensor shaped_losses(const at::Tensor& hidden, const OutputHead& head,
                         const train::HeadTargets& targets) {
  const at::Tensor rows = hidden.flatten(1, 2);
  const TrainingLoss& loss = targets.front().loss;
  return losses_by_lane(
      hidden.is_cpu(), targets, [&](std::int64_t first, const BankTargets& scored) {
        const std::int64_t lanes = scored.ids.size(0);
        // The states are scaled, not the logits, which are many more.
        const at::Tensor states =
            lane_rows(rows.narrow(0, first, lanes), scored.positions) * head.scale;
        const at::Tensor table = head.table.narrow(0, first, lanes);
        const at::Tensor logits =
            at::bmm(states.to(head.products), table.to(head.products).transpose(1, 2))
                .to(rows.scalar_type());
        const at::Tensor log_sum = logits.logsumexp(-1);
        const at::Tensor logs = logits - log_sum.unsqueeze(-1);
        const at::Tensor plain = -logs.gather(-1, scored.ids.unsqueeze(-1)).squeeze(-1);
        const at::Tensor cost = shaped(loss, logs, plain, log_sum);
        return ((cost + (plain - cost).detach()) * scored.weights).sum(-1);
      });
}

}  // namespace ablate::models
