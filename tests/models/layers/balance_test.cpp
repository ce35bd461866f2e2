// What keeps experts evenly used: by itself, and in the steps of a network.

#include "models/layers/balance.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kBalancedLanes = 2, kBalancedBatch = 3, kBalancedTime = 12;

/// What the balance of documents adds to the loss, written out.
at::Tensor balance_of(const at::Tensor& shares, const at::Tensor& chosen,
                      const std::vector<std::int64_t>& begins, const at::Tensor& weights,
                      std::int64_t experts) {
  at::Tensor sum = at::zeros({}, at::kFloat);
  for (std::int64_t lane = 0; lane < kBalancedLanes; ++lane)
    for (std::int64_t row = 0; row < kBalancedBatch; ++row)
      for (std::size_t d = 0; d + 1 < begins.size(); ++d) {
        const std::int64_t size = begins[d + 1] - begins[d],
                           place = row * kBalancedTime + begins[d];
        const at::Tensor mean = shares[lane].narrow(0, place, size).mean(0);
        const at::Tensor own = chosen[lane].narrow(0, place, size).flatten();
        at::Tensor uneven = at::zeros({}, at::kFloat);
        for (std::int64_t e = 0; e < experts; ++e)
          uneven =
              uneven + own.eq(e).to(at::kFloat).mean() * static_cast<double>(experts) * mean[e];
        sum = sum + uneven * weights[lane][row].narrow(0, begins[d], size).sum();
      }
  return sum;
}

/// Rows of three documents.
const std::vector<std::int64_t> kBalancedDocuments = {0, 4, 5, kBalancedTime};

train::Inputs documents_with_weights() {
  train::Inputs inputs =
      testing::inputs(Seen::causal, kBalancedLanes, kBalancedBatch, kBalancedTime);
  for (std::size_t d = 0; d + 1 < kBalancedDocuments.size(); ++d)
    inputs.visible_from
        .narrow(2, kBalancedDocuments[d], kBalancedDocuments[d + 1] - kBalancedDocuments[d])
        .fill_(kBalancedDocuments[d]);
  inputs.target_weights = at::arange(kBalancedLanes * kBalancedBatch * kBalancedTime, at::kFloat)
                              .sin()
                              .abs()
                              .view({kBalancedLanes, kBalancedBatch, kBalancedTime});
  return inputs;
}

TEST(Balance, OfEachDocumentWeighsAsMuchAsItsTargets) {
  constexpr std::int64_t kExperts = 4;
  constexpr double kCoefficient = 0.3;
  const train::Inputs inputs = documents_with_weights();
  const at::Tensor logits =
      at::arange(kBalancedLanes * kBalancedBatch * kBalancedTime * kExperts, at::kFloat)
          .mul(1.3)
          .sin()
          .view({kBalancedLanes, kBalancedBatch * kBalancedTime, kExperts});
  const at::Tensor own = logits.clone().requires_grad_(true);
  const at::Tensor shares = own.softmax(-1);
  const at::Tensor chosen = std::get<1>(shares.detach().topk(2, -1));
  const at::Tensor same = balanced(shares, chosen, inputs, kCoefficient);
  EXPECT_TRUE(same.equal(shares));
  (same * logits.cos()).sum().backward();

  const at::Tensor other = logits.clone().requires_grad_(true);
  const at::Tensor plain = other.softmax(-1);
  const at::Tensor added =
      balance_of(plain, chosen, kBalancedDocuments, inputs.target_weights, kExperts);
  ((plain * logits.cos()).sum() + kCoefficient * added).backward();
  EXPECT_TRUE(own.grad().allclose(other.grad(), 1e-5, 1e-6));
}

TEST(Balance, OfOneDocumentIsBlindToTheOthers) {
  const auto gradient_with = [](std::int64_t changed) {
    train::Inputs inputs = documents_with_weights();
    at::Tensor logits = at::arange(kBalancedLanes * kBalancedBatch * kBalancedTime * 4, at::kFloat)
                            .mul(1.3)
                            .sin()
                            .view({kBalancedLanes, kBalancedBatch, kBalancedTime, 4})
                            .clone();
    if (changed >= 0) logits.select(2, changed).mul_(-2);
    logits = logits.flatten(1, 2).requires_grad_(true);
    const at::Tensor shares = logits.softmax(-1);
    balanced(shares, std::get<1>(shares.detach().topk(2, -1)), inputs, 1).mul(0).sum().backward();
    return logits.grad().view({kBalancedLanes, kBalancedBatch, kBalancedTime, 4});
  };
  const at::Tensor before = gradient_with(-1), after = gradient_with(7);  // of the last document
  EXPECT_TRUE(before.narrow(2, 0, 5).equal(after.narrow(2, 0, 5)));
  EXPECT_FALSE(before.narrow(2, 5, 7).equal(after.narrow(2, 5, 7)));
}

TEST(Balance, OfASourceWeighsWhatItsReadersDo) {
  train::Inputs inputs;
  inputs.target_weights = at::tensor({1.F, 2.F, 4.F, 8.F, 16.F}).view({1, 1, 5});
  // The last one sees nothing of the source.
  inputs.source.seen_from = at::tensor({0, 0, 3, 3, 6}, at::kLong).view({1, 1, 5});
  inputs.source.seen_until = at::tensor({3, 3, 6, 6, 6}, at::kLong).view({1, 1, 5});
  EXPECT_TRUE(
      weights_of_source(inputs, 6).flatten().equal(at::tensor({3.F, 0.F, 0.F, 12.F, 0.F, 0.F})));
}

/// A network of experts, after a step's gradients.
struct Stepped {
  std::unique_ptr<train::Network> network;
  train::Totals totals;

  at::Tensor gradient(const std::string& name) const {
    for (train::Parameter& parameter : network->parameters())
      if (parameter.name == name) return parameter.value.grad();
    throw std::logic_error(name);
  }
};

Stepped stepped(double balance, const std::vector<std::pair<std::int64_t, std::int64_t>>& parts) {
  Json model = testing::tiny();
  model.update({{"feed_forwards", {"experts"}}, {"expert_balance", balance}});
  Stepped made = {testing::bank(testing::settings(model, kBalancedLanes)), {}};
  train::Inputs inputs = documents_with_weights();
  inputs.target_weights = at::Tensor();
  const auto targets = testing::targets(inputs, 0.5);
  for (const auto& [first, count] : parts) {
    train::Inputs rows = inputs;
    for (at::Tensor train::Inputs::*field :
         {&train::Inputs::tokens, &train::Inputs::positions, &train::Inputs::visible_from,
          &train::Inputs::visible_until})
      rows.*field = (inputs.*field).narrow(1, first, count);
    std::vector<train::LaneTargets> own = targets;
    for (train::LaneTargets& lane : own) {
      const at::Tensor in = lane.positions.ge(first * kBalancedTime)
                                .logical_and(lane.positions.lt((first + count) * kBalancedTime));
      lane = {lane.positions.index({in}) - first * kBalancedTime, lane.targets.index({in}),
              lane.weights.index({in})};
    }
    made.totals = made.network->accumulate(rows, {own}, at::full({1, kBalancedLanes}, 0.01));
  }
  return made;
}

TEST(Experts, AreBalancedInTrainingWithoutAChangeOfTheLoss) {
  const Stepped with = stepped(5, {{0, kBalancedBatch}}),
                without = stepped(0, {{0, kBalancedBatch}});
  EXPECT_TRUE(with.totals.losses.equal(without.totals.losses));
  EXPECT_FALSE(with.gradient("block.1.router").allclose(without.gradient("block.1.router")));
  // What follows the last router learns nothing of its balance.
  EXPECT_TRUE(with.gradient("norm").equal(without.gradient("norm")));
}

TEST(Experts, HaveTheGradientsOfTheirPartsOfABatch) {
  const Stepped whole = stepped(5, {{0, kBalancedBatch}}),
                parts = stepped(5, {{0, 1}, {1, kBalancedBatch - 1}});
  for (const train::Parameter& parameter : whole.network->parameters())
    EXPECT_TRUE(parameter.value.grad().allclose(parts.gradient(parameter.name), 1e-4, 1e-6))
        << parameter.name;
}

}  // namespace
}  // namespace ablate::models
