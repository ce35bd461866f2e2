// What holds for every mixer and feed-forward layer, alone and in hybrid stacks.

#include "models/layers/layer.h"

#include <c10/core/GradMode.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "models/layers/embeddings.h"
#include "models/specs/head_specs.h"
#include "models/specs/layer_specs.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kLongTime = 150;  // more than two chunks of linear attention

/// A small model with each mixer in all blocks, and with each pair of them in turn.
std::vector<Json> mixer_stacks() {
  std::vector<Json> stacks;
  for (const LayerKind& mixer : mixer_kinds())
    for (const LayerKind& other : mixer_kinds()) {
      Json model = testing::tiny();
      model["layers"] = {mixer.name, other.name};
      stacks.push_back(model);
    }
  Json normed = testing::tiny(), bare = testing::tiny();
  normed.update({{"layers", {"attention", "sliding_window"}}, {"query_key_norm", true}});
  bare.update({{"layers", {"attention", "linear_attention"}}, {"positions", "none"}});
  Json grouped = testing::tiny();
  grouped.update({{"layers", {"attention", "mamba2"}}, {"heads", 4}, {"key_value_heads", 2}});
  stacks.push_back(std::move(grouped));
  stacks.push_back(std::move(normed));
  stacks.push_back(std::move(bare));
  Json by_distance = testing::tiny();
  by_distance.update({{"layers", {"attention", "mamba2"}}, {"positions", "alibi"}});
  stacks.push_back(std::move(by_distance));
  Json sparse = testing::tiny();
  sparse.update({{"layers", {"attention", "mamba2"}}, {"feed_forwards", {"experts"}}});
  stacks.push_back(std::move(sparse));
  return stacks;
}

/// The same with each feed-forward layer, and with two in turn.
std::vector<Json> layer_stacks() {
  std::vector<Json> stacks;
  for (const Json& mixers : mixer_stacks())
    for (const Json& list : {Json{"dense"}, Json{"gated"}, Json{"none"}, Json{"gated", "none"},
                             Json{"none", "dense"}, Json{"experts", "dense"}}) {
      stacks.push_back(mixers);
      stacks.back()["feed_forwards"] = list;
    }
  return stacks;
}

/// Heads with blocks of their own, and without.
std::vector<Needs> head_needs() {
  std::vector<Needs> all(1);
  for (const char* architecture : {"transformer", "sequential", "linear"}) {
    Needs& needs = all.emplace_back();
    if (architecture == std::string("transformer")) needs.heads[0].params = {{"block", true}};
    for (const std::int64_t ahead : {2, 3})
      needs.heads.push_back(
          {.kind = "future_tokens", .params = {{"ahead", ahead}, {"architecture", architecture}}});
  }
  return all;
}

TEST(LayerStacks, HaveTheParametersThatAreCountedUnderEveryHead) {
  for (Json model : layer_stacks())
    for (const Needs& needs : head_needs()) {
      model["depth"] = 5;
      train::NetworkSettings settings = testing::settings(model);
      settings.hosting.needs = needs;
      std::int64_t built = 0;
      const auto network = testing::bank(settings);
      for (const train::Parameter& parameter : network->parameters())
        built += parameter.value.numel();
      EXPECT_EQ(transformer_spec().parameters(settings.model, settings.hosting).total, built)
          << model << " with " << needs.heads.size() << " heads";
    }
}

TEST(LayerStacks, CountTheMultiplyAddsOfTheirMatrices) {
  for (const Json& model : layer_stacks()) {
    const train::NetworkSettings settings = testing::settings(model);
    const auto network = testing::bank(settings);
    double expected = 0;
    for (const train::Parameter& parameter : network->parameters()) {
      if (!parameter.name.starts_with("block.") || parameter.value.dim() < 3) continue;
      const bool of_experts = parameter.value.dim() == 4;  // 2 of 8 read a position
      expected += static_cast<double>(parameter.value.numel()) / (of_experts ? 4 : 1);
    }
    // Context, head width or state size, and the units that are read so.
    const std::map<std::string, double> read = {
        {"attention", 2 * 12 * 8},     {"gated_delta", 3 * 4 * 8}, {"linear_attention", 2 * 4 * 8},
        {"mamba2", 2 * 16 * 16},       {"rwkv7", 4 * 4 * 8},       {"rwkv7_channels", 0},
        {"sliding_window", 2 * 12 * 8}};
    for (const Json& name : model.at("layers")) expected += read.at(name);
    EXPECT_EQ(
        transformer_spec().flops(settings.model, {testing::kVocabulary, {}, {}}).trunk_per_token,
        6 * expected)
        << model;
  }
}

TEST(LayerStacks, StartAtTheLossOfAUniformGuess) {
  for (Json model : layer_stacks()) {
    model["width"] = 64;
    const auto network = testing::bank(testing::settings(model));
    const train::Inputs inputs = testing::inputs(Seen::causal, 1, 8, 12);
    const auto targets = testing::targets(inputs, 1);
    const double loss = network->losses(network->hidden(inputs), targets).sum().item<double>();
    const double uniform = std::log(testing::kVocabulary.size());
    EXPECT_NEAR(loss / testing::total_weight(targets[0]), uniform, 0.05 * uniform) << model;
  }
}

/// Values and gradients of all parameters after some steps of descent.
std::vector<at::Tensor> descended(train::Network& network, const train::Inputs& inputs,
                                  const std::vector<train::LaneTargets>& targets) {
  for (int step = 0; step < 3; ++step) {
    network.accumulate(inputs, {targets}, at::ones({1, network.lanes()}));
    const at::NoGradGuard no_gradient;
    for (train::Parameter& parameter : network.parameters()) {
      parameter.value.sub_(parameter.value.grad(), 1e-3);
      if (step < 2) parameter.value.grad().zero_();
    }
    network.parameters_changed();
  }
  std::vector<at::Tensor> found;
  for (const train::Parameter& parameter : network.parameters()) {
    found.push_back(parameter.value.detach());
    found.push_back(parameter.value.grad());
  }
  return found;
}

// The lanes see in unlike ways, so that what holds for all of them holds for none alone.
TEST(LayerStacks, TrainALaneAloneAndInABankBitwiseAlike) {
  for (Json model : mixer_stacks())
    for (const std::int64_t time : {std::int64_t{12}, kLongTime})
      for (const bool fused : {true, false}) {
        model["context"] = time;
        train::NetworkSettings of_bank = testing::settings(model, 3);
        of_bank.fused = fused;
        train::Inputs inputs = testing::inputs(Seen::causal, 3, 2, time);
        const train::Inputs others[] = {testing::inputs(Seen::anything, 1, 2, time),
                                        testing::inputs(Seen::bidirectional, 1, 2, time)};
        for (std::int64_t lane = 1; lane < 3; ++lane) {
          inputs.visible_from.narrow(0, lane, 1).copy_(others[lane - 1].visible_from);
          inputs.visible_until.narrow(0, lane, 1).copy_(others[lane - 1].visible_until);
        }
        inputs.dropout = 0.1;
        inputs.seeds = {7, 8, 9};
        const auto targets = testing::targets(inputs, 0.5);
        const auto bank = testing::bank(of_bank, inputs.seeds);
        const auto together = descended(*bank, inputs, targets);
        for (std::int64_t lane = 0; lane < 3; ++lane) {
          train::NetworkSettings of_one = of_bank;
          of_one.lanes = 1;
          const auto index = static_cast<std::size_t>(lane);
          const auto one = testing::bank(of_one, {inputs.seeds[index]});
          const auto alone = descended(*one, testing::lane_of(inputs, lane), {targets[index]});
          for (std::size_t i = 0; i < alone.size(); ++i)
            EXPECT_TRUE(together[i].select(0, lane).equal(alone[i].select(0, 0)))
                << model << " time " << time << " lane " << lane << (fused ? " fused" : " plain");
        }
      }
}

/// Where the documents of a row begin; the last is where the last one ends.
const std::vector<std::int64_t> kBegins = {0, 5, 40, 64, 70, 129, kLongTime};

/// Documents that see themselves alone, up to each position or in both directions.
train::Inputs documents_of(bool causal) {
  train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, kLongTime);
  for (std::size_t d = 0; d + 1 < kBegins.size(); ++d) {
    const std::int64_t size = kBegins[d + 1] - kBegins[d];
    inputs.visible_from.narrow(2, kBegins[d], size).fill_(kBegins[d]);
    if (!causal) inputs.visible_until.narrow(2, kBegins[d], size).fill_(kBegins[d + 1]);
  }
  return inputs;
}

/// Hidden states of a network with other tokens in [begin, end).
at::Tensor hidden_with_change(train::Network& network, train::Inputs inputs, std::int64_t begin,
                              std::int64_t end) {
  const at::NoGradGuard no_gradient;
  inputs.tokens = inputs.tokens.clone();
  const at::Tensor part = inputs.tokens.narrow(2, begin, end - begin);
  part.copy_((part + 1).remainder(testing::kVocabulary.size()));
  return network.hidden(inputs);
}

TEST(LayerStacks, KeepDocumentsOfARowApartBitwise) {
  for (Json model : mixer_stacks())
    for (const bool causal : {true, false})
      for (const bool fused : {true, false}) {
        model.update({{"depth", 3}, {"context", kLongTime}});
        train::NetworkSettings settings = testing::settings(model);
        settings.fused = fused;
        const auto network = testing::bank(settings);
        const train::Inputs inputs = documents_of(causal);
        const at::Tensor before = hidden_with_change(*network, inputs, 0, 0);
        for (std::size_t d = 0; d + 1 < kBegins.size(); ++d) {
          const std::int64_t begin = kBegins[d], end = kBegins[d + 1];
          const at::Tensor after = hidden_with_change(*network, inputs, begin, end);
          EXPECT_TRUE(before.narrow(2, 0, begin).equal(after.narrow(2, 0, begin))) << model << d;
          EXPECT_TRUE(
              before.narrow(2, end, kLongTime - end).equal(after.narrow(2, end, kLongTime - end)))
              << model << d;
          EXPECT_FALSE(
              before.narrow(2, begin, end - begin).equal(after.narrow(2, begin, end - begin)));
        }
      }
}

TEST(LayerStacks, ThatSeeThePastSeeNothingOfTheFuture) {
  for (Json model : mixer_stacks()) {
    model.update({{"depth", 3}, {"context", kLongTime}});
    const auto network = testing::bank(testing::settings(model));
    const train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, kLongTime);
    const at::Tensor before = hidden_with_change(*network, inputs, 0, 0);
    // Some mixers reach so far a block; what keeps more reaches the end of the row.
    const std::map<std::string, std::int64_t> reaches = {{"rwkv7_channels", 1},
                                                         {"sliding_window", 30}};
    std::int64_t reach = 0;
    for (const int block : {0, 1, 0}) {
      const auto found = reaches.find(model.at("layers").at(block));
      reach += found == reaches.end() ? kLongTime : found->second;
    }
    for (const std::int64_t cut : {1, 30, 63, 64, 65, 128, 149}) {
      const at::Tensor after = hidden_with_change(*network, inputs, cut, cut + 1);
      EXPECT_TRUE(before.narrow(2, 0, cut).equal(after.narrow(2, 0, cut))) << model << cut;
      EXPECT_FALSE(before.select(2, cut).equal(after.select(2, cut))) << model << cut;
      const std::int64_t later = std::min(cut + reach, kLongTime - 1);
      EXPECT_FALSE(before.select(2, later).equal(after.select(2, later))) << model << cut;
    }
  }
}

TEST(LayerStacks, FusedAndPlainAgree) {
  for (const Json& model : layer_stacks())
    for (const Seen seen : {Seen::causal, Seen::documents, Seen::prefix, Seen::anything}) {
      train::NetworkSettings settings = testing::settings(model);
      const auto fused = testing::bank(settings);
      settings.fused = false;
      const auto plain = testing::bank(settings);
      const at::NoGradGuard no_gradient;
      const train::Inputs inputs = testing::inputs(seen, 1, 2, 12);
      EXPECT_TRUE(fused->hidden(inputs).allclose(plain->hidden(inputs), 1e-4, 1e-5)) << model;
    }
}

/// A mixer by itself with initial weights of a seed.
struct LoneMixer {
  explicit LoneMixer(const MixerSpec& spec)
      : settings(testing::settings(testing::tiny())),
        bank(settings),
        shape(shape_of(settings.model, settings.hosting)),
        embeddings(bank, shape),
        mixer(build_mixer(spec, {bank.parameters, shape, "mixer."})) {
    double step = 0.3;
    for (train::Parameter& parameter : bank.parameters.all())
      parameter.value = at::arange(parameter.value.numel(), at::kFloat)
                            .mul(step += 0.1)
                            .sin()
                            .mul(parameter.deviation > 0 ? parameter.deviation : 0.1)
                            .add(parameter.initial)
                            .view(parameter.value.sizes());
  }

  train::NetworkSettings settings;
  Bank bank;
  Shape shape;
  Embeddings embeddings;
  std::unique_ptr<const Mixer> mixer;
};

TEST(Mixers, GiveZerosToAPositionThatSeesNothing) {
  for (const MixerSpec& spec : mixer_specs()) {
    const LoneMixer lone(spec);
    train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 12);
    inputs.visible_from.narrow(2, 3, 4).copy_(inputs.visible_until.narrow(2, 3, 4));
    const at::Tensor normed = at::arange(2 * 12 * 8, at::kFloat).sin().view({1, 2, 12, 8});
    Pass pass = lone.embeddings.pass(inputs, 0);
    const at::Tensor mixed = lone.mixer->mixed(pass, normed);
    EXPECT_EQ(mixed.sizes(), normed.sizes());
    EXPECT_TRUE(mixed.narrow(2, 3, 4).eq(0).all().item<bool>()) << spec.name;
    EXPECT_TRUE(mixed.isfinite().all().item<bool>()) << spec.name;
    EXPECT_FALSE(mixed.narrow(2, 0, 3).eq(0).any().item<bool>()) << spec.name;
  }
}

TEST(Mixers, KeepAStateThatGrowsWithTheRowOrNot) {
  const train::NetworkSettings settings = testing::settings(testing::tiny());
  const Shape shape = shape_of(settings.model, settings.hosting);
  for (const MixerSpec& spec : mixer_specs()) {
    const std::int64_t shorter = spec.state(shape, 64), longer = spec.state(shape, 640);
    EXPECT_GT(shorter, 0);
    EXPECT_TRUE(longer == 10 * shorter || longer == shorter) << spec.name;
  }
}

}  // namespace
}  // namespace ablate::models
