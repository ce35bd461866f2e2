// Adds up what a bank holds on a GPU.

#include "harness/plan/price/memory.h"

#include <algorithm>

namespace ablate::plan {
namespace {

// Weights, gradients and two moments, in float32; and the weights again in bfloat16.
constexpr double kParameterBytes = 16, kCopyBytes = 2;

// Workspaces of the products, and what the first direct steps leave in LibTorch's other pools.
constexpr double kBase = 100e6;

// What LibTorch holds for a byte that is used: its blocks are not always full.
constexpr double kHeld = 1.05;

// The logits exist for a part of the targets at a time.
constexpr double kLogits = 256 << 20;

}  // namespace

LaneMemory lane_memory(const Price& price, double at_once, std::int64_t vocabulary,
                       const MemoryCount& count, bool bfloat16) {
  const StepRates& rates = price.rates;
  const double parameters = static_cast<double>(price.parameters.total);
  LaneMemory memory;
  memory.bytes =
      parameters * (kParameterBytes + (bfloat16 ? kCopyBytes : 0)) +
      at_once * (rates.positions * count.per_token + rates.sources * count.per_source_token +
                 rates.targets * count.per_target) +
      count.fixed;
  memory.logits = at_once * rates.targets * static_cast<double>(vocabulary) * (bfloat16 ? 2 : 4);
  return memory;
}

double bank_bytes(const LaneMemory& memory, std::size_t lanes) {
  const auto count = static_cast<double>(lanes);
  return kBase + kHeld * count * memory.bytes + std::min(kLogits, count * memory.logits);
}

}  // namespace ablate::plan
