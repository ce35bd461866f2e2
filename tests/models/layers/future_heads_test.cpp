// Several heads on one trunk: what they see, their losses, and their backward pass head by head.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/train/step/backward.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr FutureKind kKinds[] = {FutureKind::transformer, FutureKind::linear,
                                 FutureKind::sequential, FutureKind::shared};

Needs with_heads(FutureKind kind, std::int64_t heads, bool shorten = true) {
  Needs needs;
  needs.future = kind;
  needs.shorten_trunk = shorten;
  for (std::int64_t ahead = 2; ahead <= heads; ++ahead)
    needs.heads.push_back({Head::future_tokens, ahead, 0.5});
  return needs;
}

train::NetworkSettings hosting_settings(const Needs& needs, std::int64_t lanes = 2) {
  Json model = testing::tiny();
  model["depth"] = 4;
  train::NetworkSettings settings = testing::settings(model, lanes);
  settings.hosting.needs = needs;
  return settings;
}

std::vector<at::Tensor> gradients_of(train::Network& network) {
  std::vector<at::Tensor> gradients;
  for (const train::Parameter& parameter : network.parameters())
    gradients.push_back(parameter.value.grad().defined() ? parameter.value.grad().clone()
                                                         : at::zeros_like(parameter.value));
  return gradients;
}

at::Tensor losses_of(train::Network& network, const HeadNeed& need, const at::Tensor& hidden,
                     const train::HeadTargets& targets) {
  return need.head == Head::pair ? train::pair_losses(network, hidden, targets)
                                 : network.losses(hidden, targets);
}

/// The losses of all heads in one graph, with a single backward pass.
std::vector<at::Tensor> naive(train::Network& network, const Needs& needs,
                              const train::Inputs& inputs,
                              const std::vector<train::HeadTargets>& targets,
                              const at::Tensor& factors) {
  const at::Tensor trunk = network.trunk(inputs);
  at::Tensor from = trunk, sum = at::zeros({});
  for (std::size_t head = 0; head < needs.heads.size(); ++head) {
    const train::HeadState state = network.state(head, network.chained() ? from : trunk, inputs);
    from = state.stream;
    sum = sum + (losses_of(network, needs.heads[head], state.hidden, targets[head]) *
                 factors[static_cast<std::int64_t>(head)])
                    .sum();
  }
  sum.backward();
  return gradients_of(network);
}

void expect_same_gradients(const Needs& needs, bool fused) {
  train::NetworkSettings settings = hosting_settings(needs);
  settings.fused = fused;
  const train::Inputs inputs = testing::inputs(Seen::documents, 2, 3, 12, 5);
  std::vector<train::HeadTargets> targets;
  for (std::size_t head = 0; head < needs.heads.size(); ++head) {
    targets.push_back(testing::targets(inputs, 0.6, head + 3));
    if (needs.heads[head].head != Head::pair) continue;
    for (train::LaneTargets& lane : targets.back()) lane.targets.remainder_(2);
  }
  const auto heads = static_cast<std::int64_t>(needs.heads.size());
  const at::Tensor factors = at::arange(1, 2 * heads + 1).to(at::kFloat).view({heads, 2}) * 0.01;
  const auto single = testing::bank(settings), pieces = testing::bank(settings);
  const auto expected = naive(*single, needs, inputs, targets, factors);
  const at::Tensor totals = train::backpropagate(*pieces, needs.heads, inputs, targets, factors);
  EXPECT_EQ(totals.sizes().vec(), (std::vector<std::int64_t>{heads, 2}));
  const auto found = gradients_of(*pieces);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double size = expected[i].norm().item<double>();
    EXPECT_LE((found[i] - expected[i]).norm().item<double>(), 1e-6 * (size + 1e-3))
        << pieces->parameters()[i].name << " of " << size;
    EXPECT_GT(size, 0) << pieces->parameters()[i].name << " is not trained";
  }
}

TEST(FutureHeads, BackwardInPiecesIsTheGradientOfTheSum) {
  for (const FutureKind kind : kKinds)
    for (const bool fused : {true, false}) {
      SCOPED_TRACE(fmt::format("kind {}{}", static_cast<int>(kind), fused ? ", fused" : ", plain"));
      expect_same_gradients(with_heads(kind, 3), fused);
    }
}

TEST(FutureHeads, AHeadForPairsSharesTheTrunk) {
  Needs needs;
  needs.heads.push_back({Head::pair});
  expect_same_gradients(needs, true);
}

TEST(FutureHeads, PairLogitsOfAllLanesAreThoseOfEach) {
  Needs needs;
  needs.heads.push_back({Head::pair});
  const auto network = testing::bank(hosting_settings(needs));  // of two lanes
  const at::Tensor hidden = network->hidden(testing::inputs(Seen::documents, 2, 3, 12));
  const at::Tensor positions =
      at::tensor(at::ArrayRef<std::int64_t>({0, 12, 35, 7, 7, 24})).view({2, 3});
  const at::Tensor together = network->pair_logits(hidden, 0, positions);
  EXPECT_EQ(together.sizes().vec(), (std::vector<std::int64_t>{2, 3, 2}));
  for (std::int64_t lane = 0; lane < 2; ++lane) {
    const at::Tensor alone = network->pair_logits(hidden, lane, positions.narrow(0, lane, 1));
    EXPECT_TRUE(together.narrow(0, lane, 1).allclose(alone, 1e-5, 1e-7));
  }
}

TEST(FutureHeads, OneHeadIsCausalLanguageModelling) {
  // The trunk with the first head's block is the ordinary model, whatever other heads there are.
  for (const FutureKind kind : kKinds) {
    const auto plain = testing::bank(hosting_settings({}));
    const auto several = testing::bank(hosting_settings(with_heads(kind, 1)));
    const train::Inputs inputs = testing::inputs(Seen::causal, 2, 3, 12);
    EXPECT_TRUE(plain->hidden(inputs).equal(several->hidden(inputs)));
    const at::Tensor in_pieces = several->state(0, several->trunk(inputs), inputs).hidden;
    EXPECT_TRUE(plain->hidden(inputs).allclose(in_pieces, 1e-5, 1e-6));
  }
}

TEST(FutureHeads, TheFirstStateIsTheHiddenOneWhereverTheTrunkEnds) {
  for (const FutureKind kind : kKinds) {
    const auto network = testing::bank(hosting_settings(with_heads(kind, 3)));
    const train::Inputs inputs = testing::inputs(Seen::documents, 2, 3, 12);
    const at::Tensor in_pieces = network->state(0, network->trunk(inputs), inputs).hidden;
    EXPECT_TRUE(network->hidden(inputs).allclose(in_pieces, 1e-5, 1e-6));
  }
}

TEST(FutureHeads, AreCountedAsTheyAreBuilt) {
  for (const FutureKind kind : kKinds)
    for (const bool shorten : {true, false})
      for (const std::int64_t heads : {1, 2, 3}) {
        train::NetworkSettings settings = hosting_settings(with_heads(kind, heads, shorten), 1);
        settings.hosting.needs.heads.push_back({Head::pair});
        std::int64_t built = 0;
        const auto network = testing::bank(settings);
        for (const train::Parameter& parameter : network->parameters())
          built += parameter.value.numel();
        const ParameterCount count =
            transformer_spec().parameters(settings.model, settings.hosting);
        EXPECT_EQ(count.total, built) << static_cast<int>(kind) << " " << shorten << " " << heads;
        if (heads > 1 && kind != FutureKind::shared) {
          EXPECT_LT(count.at_inference, count.total);
        }
      }
}

TEST(FutureHeads, OfBlocksLeaveTheParametersAsTheyWere) {
  const auto total = [](const Needs& needs) {
    const train::NetworkSettings settings = hosting_settings(needs);
    return transformer_spec().parameters(settings.model, settings.hosting).total;
  };
  for (const std::int64_t heads : {2, 3})
    EXPECT_EQ(total(with_heads(FutureKind::transformer, heads)), total({}));
}

TEST(FutureHeads, NeedATrunk) {
  const Params model = hosting_settings({}).model;  // of depth 4
  EXPECT_EQ(transformer_spec().cannot_host(model, with_heads(FutureKind::transformer, 3)), "");
  EXPECT_THAT(transformer_spec().cannot_host(model, with_heads(FutureKind::transformer, 4)),
              ::testing::HasSubstr("set depth to 5 or more"));
}

TEST(FutureHeads, SequentialModulesReadWhatCameTrueAndNoFurther) {
  const auto network = testing::bank(hosting_settings(with_heads(FutureKind::sequential, 2), 1));
  train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 12);
  const auto second = [&] {
    const at::Tensor trunk = network->trunk(inputs);
    return network->state(1, network->state(0, trunk, inputs).stream, inputs).hidden.detach();
  };
  const at::Tensor before = second();
  constexpr std::int64_t kChanged = 7;  // of what is read; the module at i reads token i + 1
  auto* const token = inputs.tokens.data_ptr<std::int64_t>() + kChanged;
  *token = (*token + 1) % testing::kVocabulary.size();
  const at::Tensor after = second();
  EXPECT_TRUE(before.narrow(2, 0, kChanged - 1).equal(after.narrow(2, 0, kChanged - 1)));
  EXPECT_FALSE(before.select(2, kChanged - 1).equal(after.select(2, kChanged - 1)));
}

}  // namespace
}  // namespace ablate::models
