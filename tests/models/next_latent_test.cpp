// The head that predicts later states: what it reads, what it costs, and where no gradient may go.

#include <gtest/gtest.h>

#include <cmath>

#include "models/bank_network.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kSteps = 2, kWidth = 8;

train::NetworkSettings with_later_states(std::int64_t lanes) {
  train::NetworkSettings settings = testing::settings(testing::tiny(), lanes);
  settings.hosting.needs.heads.push_back({.kind = "next_latent", .params = {{"steps", kSteps}}});
  return settings;
}

const Head& head_of(train::Network& network) {
  return dynamic_cast<BankNetwork&>(network).heads().at(1);
}

/// The head's hidden states: [lane, batch, time, (1 + steps) * width].
at::Tensor later_states_of(train::Network& network, const train::Inputs& inputs) {
  train::HeadStreams streams;
  network.head_hidden(0, inputs, streams);
  return network.head_hidden(1, inputs, streams);
}

at::Tensor part(const at::Tensor& hidden, std::int64_t number) {
  return hidden.narrow(-1, number * kWidth, kWidth);
}

/// A label at place `place` of the first row of each lane, with so many steps in its document.
train::HeadTargets labels_at(std::int64_t lanes, std::int64_t place, std::int64_t steps) {
  return train::HeadTargets(
      static_cast<std::size_t>(lanes),
      {at::full({1}, place, at::kLong), at::full({1}, steps, at::kLong), at::ones({1})});
}

TEST(NextLatentHead, ReadsTheTrueTokensUpToItsStepAndNoneBehind) {
  const auto network = testing::bank(with_later_states(1), {1});
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 12);
  const at::Tensor before = later_states_of(*network, inputs).detach();
  for (const std::int64_t step : {1, 2})
    for (std::int64_t ahead = 1; ahead <= 4; ++ahead) {
      constexpr std::int64_t kPlace = 5;
      train::Inputs changed = inputs;
      changed.tokens = inputs.tokens.clone();
      changed.tokens[0][0][kPlace + ahead] = (inputs.tokens[0][0][kPlace + ahead] + 1) % 16;
      const at::Tensor after = later_states_of(*network, changed).detach();
      const bool same = part(after, step)[0][0][kPlace].equal(part(before, step)[0][0][kPlace]);
      EXPECT_EQ(same, ahead > step) << "step " << step << ", a token " << ahead << " ahead";
    }
}

/// The loss of a label by hand, in double: the mean over its steps of smooth L1 and of the divergence.
double apart_by_hand(train::Network& network, const at::Tensor& hidden, std::int64_t place,
                     std::int64_t steps) {
  const at::Tensor rows = hidden.detach()[0][0].to(at::kDouble);
  const auto law = [&](const at::Tensor& state) {
    at::Tensor whole = at::zeros({1, 1, 1, kWidth});
    whole[0][0][0].copy_(state);
    return network.logits(whole, 0, at::zeros({1}, at::kLong))[0].to(at::kDouble).log_softmax(-1);
  };
  double sum = 0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    const at::Tensor goal = rows[place + step].narrow(0, 0, kWidth),
                     found = rows[place].narrow(0, step * kWidth, kWidth);
    for (std::int64_t i = 0; i < kWidth; ++i) {
      const double apart = std::abs((goal[i] - found[i]).item<double>());
      sum += (apart < 1 ? apart * apart / 2 : apart - 0.5) / kWidth;
    }
    const at::Tensor wanted = law(goal), given = law(found);
    sum += (wanted.exp() * (wanted - given)).sum().item<double>();
  }
  return sum / static_cast<double>(steps);
}

TEST(NextLatentHead, CostsWhatTheFormulaSaysOfTheStepsWithinTheDocument) {
  const auto network = testing::bank(with_later_states(1), {1});
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 12);
  const at::Tensor hidden = later_states_of(*network, inputs);
  for (const std::int64_t steps : {1, 2}) {
    const train::HeadTargets targets = labels_at(1, 4, steps);
    const double loss = head_of(*network).losses(hidden, targets)[0].item<double>();
    EXPECT_GT(loss, 0);
    EXPECT_NEAR(loss, apart_by_hand(*network, hidden, 4, steps), 1e-5);
    EXPECT_NEAR(network->costs(1, hidden, 0, targets[0]).nats[0].item<double>(), loss, 1e-6);
  }
}

TEST(NextLatentHead, IsAtItsOptimumWhereItKnowsTheStates) {
  const auto network = testing::bank(with_later_states(1), {1});
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 12);
  at::Tensor hidden = later_states_of(*network, inputs).detach().clone();
  for (const std::int64_t step : {1, 2})
    part(hidden, step)[0][0][3].copy_(part(hidden, 0)[0][0][3 + step]);
  EXPECT_NEAR(head_of(*network).losses(hidden, labels_at(1, 3, 2))[0].item<double>(), 0, 1e-7);
}

// The trap: if a gradient reached the goals, all states could become one.
TEST(NextLatentHead, GivesTheGoalsAndTheTableNoGradient) {
  const auto network = testing::bank(with_later_states(1), {1});
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 12);
  const at::Tensor hidden = later_states_of(*network, inputs).detach().requires_grad_(true);
  head_of(*network).losses(hidden, labels_at(1, 3, 2)).sum().backward();
  const at::Tensor gradient = hidden.grad();
  EXPECT_EQ(part(gradient, 0).abs().max().item<double>(), 0) << "the goals";
  for (const std::int64_t step : {1, 2})
    EXPECT_GT(part(gradient, step)[0][0][3].abs().max().item<double>(), 0) << step;
  for (const train::Parameter& parameter : network->parameters())
    EXPECT_FALSE(parameter.value.grad().defined()) << parameter.name;
}

TEST(NextLatentHead, CostsTheSameInEachLaneAloneAndNothingOfWhatFillsItUp) {
  // No multiple of the width of vector instructions: the tail of a lane alone stands elsewhere in a bank, and must
  // have the same bits there.
  const auto network = testing::bank(with_later_states(3), {1, 2, 3});
  const train::Inputs inputs = testing::inputs(Seen::causal, 3, 1, 11);
  train::HeadTargets targets = testing::targets(inputs, 0.5);
  for (train::LaneTargets& lane : targets) lane.targets = lane.targets.remainder(kSteps) + 1;
  const at::Tensor all = later_states_of(*network, inputs);
  const at::Tensor losses = head_of(*network).losses(all, targets);
  for (std::int64_t lane = 0; lane < 3; ++lane) {
    train::LaneTargets own = targets[static_cast<std::size_t>(lane)];
    const auto alone = testing::bank(with_later_states(1), {static_cast<std::uint64_t>(lane + 1)});
    const at::Tensor hidden = later_states_of(*alone, testing::lane_of(inputs, lane));
    EXPECT_TRUE(hidden.equal(all.narrow(0, lane, 1)));
    EXPECT_TRUE(head_of(*alone).losses(hidden, {own}).equal(losses.narrow(0, lane, 1)));
    const auto longer = [](const at::Tensor& list, double with) {
      return at::cat({list, at::full({1}, with, list.options())});
    };
    own = {longer(own.positions, 10), longer(own.targets, 0), longer(own.weights, 0)};
    EXPECT_TRUE(head_of(*alone).losses(hidden, {own}).allclose(losses.narrow(0, lane, 1), 1e-6));
  }
}

}  // namespace
}  // namespace ablate::models
