// A window is attention that sees less.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kWindowTime = 12, kWindowLanes = 2;

std::unique_ptr<train::Network> network_of(const Json& layers, std::int64_t window = 0) {
  Json model = testing::tiny();
  model["layers"] = layers;
  if (window > 0) model["window"] = window;
  return testing::bank(testing::settings(model, kWindowLanes));
}

/// Inputs whose places see at most `window` places to either side.
train::Inputs within(train::Inputs inputs, std::int64_t window) {
  const at::Tensor places = at::arange(inputs.tokens.size(2), at::kLong);
  inputs.visible_from = at::maximum(inputs.visible_from, places - (window - 1));
  inputs.visible_until = at::minimum(inputs.visible_until, places + window);
  inputs.visibility = train::Visibility::general;
  return inputs;
}

TEST(SlidingWindow, IsAttentionOfInputsThatSeeTheWindowAlone) {
  const c10::NoGradGuard no_grad;
  for (const std::int64_t window : {1, 3, 12, 40})
    for (const Seen seen : {Seen::causal, Seen::bidirectional, Seen::documents, Seen::prefix}) {
      const train::Inputs inputs = testing::inputs(seen, kWindowLanes, 3, kWindowTime);
      const at::Tensor windowed = network_of({"sliding_window"}, window)->hidden(inputs);
      const at::Tensor expected = network_of({"attention"})->hidden(within(inputs, window));
      EXPECT_TRUE(at::equal(windowed, expected)) << window;
    }
}

TEST(SlidingWindow, ReadsFurtherLayerByLayer) {
  const c10::NoGradGuard no_grad;
  const train::Inputs inputs = testing::inputs(Seen::causal, kWindowLanes, 1, kWindowTime);
  train::Inputs other = inputs;
  other.tokens = inputs.tokens.clone();
  other.tokens[0][0][2] = inputs.tokens[0][0][2].item<std::int64_t>() == 20 ? 21 : 20;
  const auto network = network_of({"sliding_window"}, 3);
  const at::Tensor differs =
      (network->hidden(inputs) - network->hidden(other)).select(0, 0).abs().amax({0, 2});
  // Two blocks: two places further each.
  for (std::int64_t place = 0; place < kWindowTime; ++place)
    EXPECT_EQ(differs[place].item<float>() > 0, place >= 2 && place <= 6) << place;
}

TEST(SlidingWindow, KeepsAsMuchAfterManyTokensAsAfterFew) {
  Json model = testing::tiny();
  model["layers"] = {"sliding_window"};
  model["window"] = 8;
  model["context"] = 4096;
  const auto network = testing::bank(testing::settings(model, kWindowLanes));
  const auto numbers_after = [&](std::int64_t tokens) {
    const c10::NoGradGuard no_grad;
    train::DecodingState state = network->decoding(1).value();
    const train::Inputs inputs = testing::inputs(Seen::causal, kWindowLanes, 1, tokens);
    network->step(state, inputs, {tokens});
    std::int64_t numbers = 0;
    for (const auto& kept : state.mixers)
      for (const at::Tensor& tensor : kept)
        numbers += static_cast<std::int64_t>(tensor.storage().nbytes());
    return numbers;
  };
  EXPECT_EQ(numbers_after(64), numbers_after(4096));
}

}  // namespace
}  // namespace ablate::models
