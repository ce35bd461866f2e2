// Compares low-precision copies of weights with fresh casts.

#include "models/operations/low_precision.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace ablate::models {
namespace {

at::Tensor master() {
  return at::arange(2 * 5 * 8, at::kFloat).mul(0.37).sin().view({2, 5, 8}).requires_grad_(true);
}

/// Value and gradient of a product with the copy of `weight` in `low`.
template <class Low>
std::pair<at::Tensor, at::Tensor> product(const at::Tensor& weight, const Low& low) {
  const at::Tensor x = at::arange(2 * 3 * 8, at::kFloat).cos().view({2, 3, 8}).to(at::kBFloat16);
  weight.mutable_grad() = at::Tensor();
  const at::Tensor y = at::bmm(x, low(weight).transpose(1, 2));
  y.to(at::kFloat).square().sum().backward();
  return {y.detach(), weight.grad()};
}

TEST(LowPrecision, IsTheCastInValueAndGradient) {
  const at::Tensor weight = master();
  LowPrecision low(at::kBFloat16);
  const auto expected = product(weight, [](const at::Tensor& w) { return w.to(at::kBFloat16); });
  for (int time = 0; time < 2; ++time) {
    const auto found = product(weight, [&](const at::Tensor& w) { return low.of(3, w); });
    EXPECT_TRUE(found.first.equal(expected.first));
    EXPECT_EQ(found.second.scalar_type(), at::kFloat);
    EXPECT_TRUE(found.second.equal(expected.second));
  }
}

TEST(LowPrecision, IsRenewedWhereItIs) {
  const at::Tensor weight = master();
  LowPrecision low(at::kBFloat16);
  const at::Tensor before = low.of(0, weight).detach().clone();
  const void* const place = low.of(0, weight).data_ptr();
  {
    const c10::NoGradGuard no_gradient;
    weight.mul_(2);
  }
  EXPECT_TRUE(low.of(0, weight).equal(before)) << "the masters are read when they have changed";
  low.renew();
  EXPECT_TRUE(low.of(0, weight).equal(before * 2));
  EXPECT_EQ(low.of(0, weight).data_ptr(), place);
}

}  // namespace
}  // namespace ablate::models
