#include "models/heads/score_entropy.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {

at::Tensor score_entropy(const at::Tensor& logits, const at::Tensor& targets) {
  const at::Tensor own = logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1);
  return logits.exp().sum({-1}) - 1 - own;
}

}  // namespace ablate::models
