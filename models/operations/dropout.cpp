// Dropout masks, drawn on the CPU.

#include "models/operations/dropout.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>

#include "harness/base/rng.h"

namespace ablate::models {
namespace {

// Fills a mask of the units from number `first` on with 0 or 1 / (1 - dropped). One random number
// decides two units, 32 bits each.
void fill_mask(float* mask, std::int64_t first, std::int64_t units, double dropped,
               const Rng& rng) {
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(dropped, 32));
  const float kept = static_cast<float>(1 / (1 - dropped));
  std::uint64_t bits = first % 2 == 0 ? 0 : rng.peek(static_cast<std::uint64_t>(first / 2));
  for (std::int64_t unit = first; unit < first + units; ++unit) {
    bits = unit % 2 == 0 ? rng.peek(static_cast<std::uint64_t>(unit / 2)) : bits >> 32;
    mask[unit - first] = (bits & 0xFFFFFFFFu) < threshold ? 0 : kept;
  }
}

}  // namespace

at::Tensor drop(const at::Tensor& x, const DropoutKey& key) {
  if (key.dropped <= 0) return x;
  at::Tensor mask = at::empty(x.sizes(), at::kFloat);
  const std::int64_t units = x.numel() / x.size(0);
  for (std::int64_t lane = 0; lane < x.size(0); ++lane)
    fill_mask(mask.data_ptr<float>() + lane * units, key.first_row * (units / x.size(1)), units,
              key.dropped,
              Rng(key.seeds.at(static_cast<std::size_t>(lane)), Stream::dropout,
                  static_cast<std::uint64_t>(key.step), static_cast<std::uint64_t>(key.layer)));
  // In float32: rounded to bfloat16, the scale of the kept units would be off by up to .4 %.
  return (x.to(at::kFloat) * mask.to(x.device())).to(x.scalar_type());
}

}  // namespace ablate::models
