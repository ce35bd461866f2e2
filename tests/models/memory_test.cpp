// In the steady state a training step allocates no tensor memory from the system.

#include <gtest/gtest.h>

#include "harness/train/network/tensor_memory.h"
#include "harness/train/optimizer/adamw.h"
#include "models/specs/bfloat16_spec.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

TEST(TensorMemory, IsTakenOnceForTensorsOfASize) {
  train::keep_tensor_memory();
  void* first = nullptr;
  {
    const at::Tensor tensor = at::ones({1000});
    first = tensor.data_ptr();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  }
  const std::int64_t taken = train::tensor_blocks_taken();
  const at::Tensor again = at::zeros({1000});
  EXPECT_EQ(again.data_ptr(), first);
  EXPECT_EQ(train::tensor_blocks_taken(), taken);
  const at::Tensor other = at::ones({1000});
  EXPECT_EQ(train::tensor_blocks_taken(), taken + 1);
  EXPECT_EQ(again.sum().item<float>(), 0);
  EXPECT_EQ(at::empty({0}).data_ptr(), nullptr);
}

TEST(TensorMemory, IsGivenBackWhereNoTensorHoldsIt) {
  train::keep_tensor_memory();
  const at::Tensor kept = at::ones({5000});
  { const at::Tensor freed = at::ones({5000}); }
  const std::int64_t before = train::tensor_bytes_kept();
  train::release_tensor_memory();
  EXPECT_LE(train::tensor_bytes_kept(), before - 20000);
  const std::int64_t taken = train::tensor_blocks_taken(), held = train::tensor_bytes_kept();
  EXPECT_GE(held, 20000) << "what a tensor holds is kept";
  const at::Tensor fresh = at::zeros({5000});
  EXPECT_EQ(train::tensor_blocks_taken(), taken + 1);
  EXPECT_GE(train::tensor_bytes_kept(), held + 20000);
  EXPECT_EQ(kept.sum().item<float>(), 5000);
}

/// The number of blocks that `count` steps allocate from the system. Each step draws which
/// `fraction` of the positions is scored.
std::int64_t blocks_of_steps(train::Network& network, train::AdamW& optimizer, std::int64_t first,
                             std::int64_t count, double fraction) {
  const std::int64_t before = train::tensor_blocks_taken();
  for (std::int64_t step = first; step < first + count; ++step) {
    const train::Inputs inputs = testing::inputs(Seen::documents, 2, 8, 12);
    const auto targets = testing::targets(inputs, fraction, static_cast<std::uint64_t>(step));
    network.losses(network.hidden(inputs), targets).backward(at::full({2}, 1e-3));
    optimizer.step(step, {1e-3, 1e-3});
    network.parameters_changed();
  }
  return train::tensor_blocks_taken() - before;
}

TEST(TensorMemory, IsNotTakenByAStepInItsSteadyState) {
  train::keep_tensor_memory();
  for (const bool bfloat16 : {false, true})
    for (const bool fused : {true, false}) {
      if (bfloat16 && !bfloat16_refusal().empty()) continue;
      train::NetworkSettings settings = testing::settings(
          {{"depth", 2}, {"width", 32}, {"heads", 2}, {"context", 12}, {"activation", "swiglu"}},
          2);
      settings.bfloat16 = bfloat16;
      settings.fused = fused;
      const auto network = testing::bank(settings);
      train::FlatParameters parameters(network->parameters());
      train::AdamW optimizer(parameters, std::vector<train::AdamWSettings>(2));
      EXPECT_GT(blocks_of_steps(*network, optimizer, 0, 2, 1), 0);
      EXPECT_EQ(blocks_of_steps(*network, optimizer, 2, 50, 1), 0) << bfloat16 << fused;
      // If the number of targets varies, only a step with a new maximum needs more memory.
      blocks_of_steps(*network, optimizer, 52, 50, 0.15);
      EXPECT_LE(blocks_of_steps(*network, optimizer, 102, 50, 0.15), 10) << bfloat16 << fused;
    }
}

}  // namespace
}  // namespace ablate::models
