#include "models/heads/losses/score_entropy.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {
namespace {

/// Whether an entry of `like` [..., token] is that of the token in `ids` [...].
at::Tensor is_token(const at::Tensor& ids, const at::Tensor& like) {
  return ids.unsqueeze(-1).eq(at::arange(like.size(-1), ids.options()));
}

/// The entry of the token in `ids`. Not by gather(), whose gradient has no order on a CUDA device.
at::Tensor entry_of(const at::Tensor& ids, const at::Tensor& values) {
  return values.masked_fill(is_token(ids, values).logical_not(), 0).sum(-1);
}

/// The probability that noise leaves one certain token in place of another one.
at::Tensor of_another(const UniformNoise& noise, const at::Tensor& like) {
  return (1 - noise.kept) / like.size(-1);
}

}  // namespace

at::Tensor score_entropy(const at::Tensor& logits, const at::Tensor& targets) {
  return logits.exp().sum({-1}) - 1 - entry_of(targets, logits);
}

at::Tensor uniform_score_entropy(const at::Tensor& log_scores, const at::Tensor& targets,
                                 const UniformNoise& noise) {
  // Of the target against another token. Where it is the token shown, all others have the inverse.
  const at::Tensor advantage = (noise.kept / of_another(noise, log_scores)).log1p();
  const at::Tensor is_kept = targets.eq(noise.shown).unsqueeze(-1);
  const at::Tensor sign = is_token(targets, log_scores).to(log_scores.scalar_type()) -
                          is_kept.to(log_scores.scalar_type());
  const at::Tensor log_ratios = sign * advantage.unsqueeze(-1);
  const at::Tensor above = log_scores - log_ratios;
  return (log_ratios.exp() * (above.expm1() - above))
      .masked_fill(is_token(noise.shown, log_scores), 0)
      .mean(-1);
}

at::Tensor denoised_scores(const at::Tensor& logits, const UniformNoise& noise) {
  const at::Tensor noised =
      (noise.kept.unsqueeze(-1) * logits.softmax(-1) + of_another(noise, logits).unsqueeze(-1))
          .log();
  return noised - entry_of(noise.shown, noised).unsqueeze(-1);
}

}  // namespace ablate::models
