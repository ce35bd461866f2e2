// The head of a window of tokens ahead: its losses against formulas, and what fills its lists up.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "models/bank_network.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kWindow = 3;

train::NetworkSettings windowed(const char* of, std::int64_t lanes) {
  train::NetworkSettings settings = testing::settings(testing::tiny(), lanes);
  settings.hosting.needs.heads = {
      {.kind = "future_window", .params = {{"of", of}, {"window", kWindow}}}};
  return settings;
}

/// Three labels at each of a third of the places, of which some tokens are the same.
std::vector<train::LaneTargets> labels_of(const train::Inputs& inputs) {
  std::vector<train::LaneTargets> all;
  Rng rng(9);
  for (std::int64_t lane = 0; lane < inputs.tokens.size(0); ++lane) {
    std::vector<std::int64_t> positions, ids;
    std::vector<float> weights;
    for (std::int64_t place = lane; place < inputs.tokens[0].numel(); place += 3)
      for (std::int64_t label = 0; label < kWindow; ++label) {
        positions.push_back(place);
        ids.push_back(special_count + rng.below(4));
        weights.push_back(static_cast<float>(0.1 + rng.uniform()));
      }
    all.push_back({at::tensor(positions), at::tensor(ids), at::tensor(weights)});
  }
  return all;
}

/// The loss of a lane in double, written out: of distributions the cross-entropy, of sets the binary costs of
/// all ids.
double by_hand(train::Network& network, const at::Tensor& hidden, std::int64_t lane,
               const train::LaneTargets& targets, bool sets) {
  const at::Tensor logits = dynamic_cast<BankNetwork&>(network)
                                .heads()
                                .at(0)
                                .logits(hidden.detach(), lane, targets.positions)
                                .to(at::kDouble);
  const at::Tensor logs = logits.log_softmax(-1);
  double total = 0;
  for (std::int64_t first = 0; first < targets.positions.size(0); first += kWindow) {
    std::set<std::int64_t> in;
    double weight = 0;
    for (std::int64_t i = first; i < first + kWindow; ++i) {
      const auto id = targets.targets[i].item<std::int64_t>();
      const auto own = targets.weights[i].item<double>();
      in.insert(id);
      weight += own;
      if (!sets) total -= own * logs[i][id].item<double>();
    }
    for (std::int64_t id = 0; sets && id < logits.size(1); ++id) {
      const double probability = 1 / (1 + std::exp(-logits[first][id].item<double>()));
      total -= weight * std::log(in.contains(id) ? probability : 1 - probability);
    }
  }
  return total;
}

/// With labels of weight 0 at its end, as lists are filled up on a device.
train::LaneTargets filled_up(const train::LaneTargets& own, std::int64_t by) {
  const auto longer = [&](const at::Tensor& list, const at::Tensor& with) {
    return at::cat({list, with.expand({by})});
  };
  return {longer(own.positions, own.positions.narrow(0, own.positions.size(0) - 1, 1)),
          longer(own.targets, at::zeros({1}, own.targets.options())),
          longer(own.weights, at::zeros({1}, own.weights.options()))};
}

TEST(FutureWindowHead, CostsWhatTheFormulaSaysInEachLaneAloneAndNothingOfWhatFillsItUp) {
  for (const char* of : {"discounted", "order", "summary"}) {
    SCOPED_TRACE(of);
    const bool sets = std::string_view(of) == "summary";
    const train::NetworkSettings settings = windowed(of, 3);
    const auto network = testing::bank(settings, {1, 2, 3});
    const train::Inputs inputs = testing::inputs(Seen::causal, 3, 2, 12);
    const std::vector<train::LaneTargets> targets = labels_of(inputs);
    const at::Tensor hidden = network->hidden(inputs);
    const at::Tensor losses = network->losses(hidden, targets);
    for (std::int64_t lane = 0; lane < 3; ++lane) {
      const train::LaneTargets& own = targets[static_cast<std::size_t>(lane)];
      const double loss = losses[lane].item<double>();
      EXPECT_NEAR(loss, by_hand(*network, hidden, lane, own, sets), 1e-5 * loss);
      const train::TargetCosts costs = network->costs(0, hidden, lane, own);
      ASSERT_EQ(costs.nats.sizes(), own.weights.sizes());
      EXPECT_NEAR((costs.nats * own.weights).sum().item<double>(), loss, 1e-5 * loss);

      train::NetworkSettings one = settings;
      one.lanes = 1;
      const auto alone = testing::bank(one, {static_cast<std::uint64_t>(lane + 1)});
      const at::Tensor states = alone->hidden(testing::lane_of(inputs, lane));
      EXPECT_TRUE(alone->losses(states, {own}).equal(losses.narrow(0, lane, 1)));
      for (const std::int64_t by : {1, 2, 3, 7})
        EXPECT_TRUE(alone->losses(states, {filled_up(own, by)})
                        .allclose(losses.narrow(0, lane, 1), 1e-6, 1e-6))
            << by;
    }
  }
}

TEST(FutureWindowHead, HasTheGradientOfTheFormula) {
  for (const char* of : {"discounted", "summary"}) {
    const bool sets = std::string_view(of) == "summary";
    const auto network = testing::bank(windowed(of, 1), {1});
    const train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 12);
    const std::vector<train::LaneTargets> targets = labels_of(inputs);
    const at::Tensor hidden = network->hidden(inputs).detach().requires_grad_(true);
    network->losses(hidden, targets).sum().backward();
    const at::Tensor gradient = hidden.grad().clone();
    const at::Tensor table = network->parameters().back().value;
    ASSERT_EQ(network->parameters().back().name, "future_window.0");
    EXPECT_GT(table.grad().abs().max().item<double>(), 0);
    for (const auto& [row, place, column] :
         {std::tuple{0, 0, 1}, std::tuple{0, 3, 5}, std::tuple{1, 9, 7}}) {
      constexpr double kStep = 1e-2;
      const auto at_step = [&](double by) {
        at::Tensor moved = hidden.detach().clone();
        moved[0][row][place][column] += by;
        return by_hand(*network, moved, 0, targets.front(), sets);
      };
      EXPECT_NEAR(gradient[0][row][place][column].item<double>(),
                  (at_step(kStep) - at_step(-kStep)) / (2 * kStep), 1e-4)
          << of;
    }
  }
}

TEST(FutureWindowHead, BeginsAtTheLossOfAUniformGuess) {
  const auto network = testing::bank(windowed("discounted", 1), {1});
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 12);
  const std::vector<train::LaneTargets> targets = labels_of(inputs);
  const double loss = network->losses(network->hidden(inputs), targets).item<double>();
  EXPECT_NEAR(loss / targets.front().weights.sum().item<double>(),
              std::log(testing::kVocabulary.size()), 0.05);
}

}  // namespace
}  // namespace ablate::models
