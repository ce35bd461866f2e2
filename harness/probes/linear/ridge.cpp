#include "harness/probes/linear/ridge.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

constexpr double kRidgePenalties[] = {1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr double kLeastVariance = 1e-20;  // what is below is rounding of a constant

}  // namespace

Ridge::Ridge(const at::Tensor& features, const at::Tensor& targets) {
  if (!features.isfinite().all().item<bool>())
    fail("ridge regression: features are not finite; the model has diverged");
  const auto rows = static_cast<double>(features.size(0));
  mean_ = features.mean(0);
  const at::Tensor variance = (features - mean_).square().mean(0);
  const at::Tensor varies = variance.gt(kLeastVariance * mean_.square().clamp_min(1));
  scale_ = at::where(varies, variance.rsqrt(), at::zeros_like(variance));
  target_mean_ = targets.mean(0);
  const at::Tensor x = standardised(features);
  std::tie(spectrum_, basis_) = at::linalg_eigh(x.t().mm(x) / rows);
  projected_ = basis_.t().mm(x.t()).mm(targets - target_mean_) / rows;
}

at::Tensor Ridge::predicted(const at::Tensor& features, double penalty) const {
  const at::Tensor shrunk = projected_ / (spectrum_.clamp_min(0) + penalty).unsqueeze(1);
  return standardised(features).mm(basis_.mm(shrunk)) + target_mean_;
}

at::Tensor Ridge::standardised(const at::Tensor& features) const {
  return (features - mean_) * scale_;
}

double r_squared(const at::Tensor& predicted, const at::Tensor& targets) {
  const double all = (targets - targets.mean(0)).square().sum().item<double>();
  return all > 0 ? 1 - (targets - predicted).square().sum().item<double>() / all : 0;
}

RidgeChoice choose_ridge(const RowSplits& features, const RowSplits& targets) {
  const Ridge ridge(features.training, targets.training);
  RidgeChoice best;
  for (const double penalty : kRidgePenalties) {
    const double development =
        r_squared(ridge.predicted(features.development, penalty), targets.development);
    if (best.penalty > 0 && development <= best.development) continue;
    best.penalty = penalty;
    best.development = development;
  }
  best.predicted = {ridge.predicted(features.training, best.penalty),
                    ridge.predicted(features.development, best.penalty),
                    ridge.predicted(features.test, best.penalty)};
  best.test = r_squared(best.predicted.test, targets.test);
  return best;
}

}  // namespace ablate::probes
