// The encoder-decoder: visibility across the stacks, independent lanes, and parameter counts.

#include "models/encoder_decoder.h"

#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/specs/bfloat16_spec.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kTargetTime = 6, kSourceTime = 9;

train::NetworkSettings settings_of(Json model = {}, std::int64_t lanes = 1) {
  Json tiny = testing::tiny();
  if (!model.is_null()) tiny.update(model);
  train::NetworkSettings settings;
  settings.model = Params(encoder_decoder_spec().params, tiny);
  settings.hosting = {testing::kVocabulary, {}, {kTargetTime, kSourceTime}};
  settings.hosting.needs.separate_inputs = true;
  settings.lanes = lanes;
  return settings;
}

std::unique_ptr<train::Network> built(const train::NetworkSettings& settings,
                                      std::vector<std::uint64_t> seeds = {}) {
  while (static_cast<std::int64_t>(seeds.size()) < settings.lanes)
    seeds.push_back(seeds.size() + 1);
  auto network = build_network("encoder_decoder", settings);
  train::initialise(*network, seeds);
  return network;
}

/// Causal targets; position i sees the source up to i + 2, the last position none of it.
train::Inputs inputs_of(std::int64_t lanes, std::int64_t batch) {
  train::Inputs made = testing::inputs(Seen::causal, lanes, batch, kTargetTime);
  const train::Inputs read = testing::inputs(Seen::bidirectional, lanes, batch, kSourceTime, 4);
  const at::Tensor until = (at::arange(kTargetTime, at::kLong) + 2)
                               .remainder(kTargetTime + 1)
                               .expand({lanes, batch, kTargetTime})
                               .contiguous();
  made.source = {read.tokens,        read.positions,        read.visible_from,
                 read.visible_until, at::zeros_like(until), until};
  return made;
}

std::vector<Json> every_kind() {
  return {{{"sharing", "own"}},
          {{"sharing", "shared"}},
          {{"sharing", "own"}, {"encoder_depth", 3}, {"positions", "learned"}},
          {{"activation", "swiglu"}, {"norm", "rms_norm"}, {"head", "tied"}}};
}

TEST(EncoderDecoder, HasTheParametersThatAreCounted) {
  for (const Json& kind : every_kind()) {
    const train::NetworkSettings settings = settings_of(kind);
    std::int64_t built_total = 0, embeddings = 0;
    const auto network = built(settings);
    for (const train::Parameter& parameter : network->parameters()) {
      built_total += parameter.value.numel();
      if (parameter.name == "tokens" || parameter.name == "positions" || parameter.name == "head")
        embeddings += parameter.value.numel();
    }
    const ParameterCount count =
        encoder_decoder_spec().parameters(settings.model, settings.hosting);
    EXPECT_EQ(count.total, built_total) << kind;
    EXPECT_EQ(count.embeddings, embeddings) << kind;
  }
}

TEST(EncoderDecoder, StartsAtTheLossOfAUniformGuess) {
  const train::NetworkSettings settings = settings_of({{"width", 64}});
  const auto network = built(settings);
  const train::Inputs inputs = inputs_of(1, 8);
  const auto targets = testing::targets(inputs, 1);
  const double loss = network->losses(network->hidden(inputs), targets).sum().item<double>();
  const double uniform = std::log(testing::kVocabulary.size());
  EXPECT_NEAR(loss / testing::total_weight(targets[0]), uniform, 0.05 * uniform);
}

TEST(EncoderDecoder, HasTheStatesOfChosenPositionsThatItHasOfAll) {
  for (const Json& kind : every_kind()) {
    const auto network = built(settings_of(kind));
    const train::Inputs inputs = inputs_of(1, 3);
    const at::Tensor all = network->hidden(inputs).detach().flatten(1, 2);
    const at::Tensor positions =
        at::tensor(std::vector<std::int64_t>{0, 2, kTargetTime + 1, 3 * kTargetTime - 1});
    EXPECT_TRUE(at::allclose(network->hidden_at(inputs, positions).squeeze(1),
                             all.index_select(1, positions), 1e-5, 1e-6))
        << kind;
  }
}

TEST(EncoderDecoder, APositionSeesItsPartOfTheSourceAndNothingElse) {
  for (const Json& kind : every_kind()) {
    Json one = kind;
    one["depth"] = 1;
    one["encoder_depth"] = 1;
    const auto network = built(settings_of(one));
    const train::Inputs inputs = inputs_of(1, 1);
    // The encoder sees both ways; restrict it so that each token affects only its own state.
    train::Inputs alone = inputs;
    const at::Tensor index = at::arange(kSourceTime, at::kLong).view({1, 1, kSourceTime});
    alone.source.visible_from = index.clone();
    alone.source.visible_until = index + 1;
    const at::Tensor before = network->hidden(alone).detach();
    for (std::int64_t j = 0; j < kSourceTime; ++j) {
      train::Inputs changed = alone;
      changed.source.tokens = alone.source.tokens.clone();
      changed.source.tokens[0][0][j] =
          (alone.source.tokens[0][0][j].item<std::int64_t>() + 1) % testing::kVocabulary.size();
      const at::Tensor after = network->hidden(changed).detach();
      for (std::int64_t i = 0; i < kTargetTime; ++i) {
        // With several blocks, later positions see through a position what it sees.
        const bool sees = j < alone.source.seen_until[0][0][i].item<std::int64_t>();
        EXPECT_EQ(before[0][0][i].equal(after[0][0][i]), !sees) << i << ' ' << j;
      }
    }
  }
}

TEST(EncoderDecoder, ADecoderPositionSeesNothingOfTheFuture) {
  const auto network = built(settings_of());
  const train::Inputs inputs = inputs_of(1, 2);
  train::Inputs changed = inputs;
  changed.tokens = inputs.tokens.clone();
  changed.tokens.narrow(2, 3, 3).copy_(inputs.tokens.narrow(2, 0, 3));
  const at::Tensor before = network->hidden(inputs).detach(),
                   after = network->hidden(changed).detach();
  EXPECT_TRUE(before.narrow(2, 0, 3).equal(after.narrow(2, 0, 3)));
  EXPECT_FALSE(before.narrow(2, 3, 3).equal(after.narrow(2, 3, 3)));
}

/// Hidden states and gradients after a few steps of descent.
std::vector<at::Tensor> trained(train::Network& network, const train::Inputs& inputs,
                                const std::vector<train::LaneTargets>& targets) {
  for (int step = 0; step < 5; ++step) {
    network.losses(network.hidden(inputs), targets).sum().backward();
    const at::NoGradGuard no_gradient;
    for (train::Parameter& parameter : network.parameters()) {
      parameter.value.sub_(parameter.value.grad(), 1e-2);
      parameter.value.grad().zero_();
    }
  }
  std::vector<at::Tensor> values;
  for (const train::Parameter& parameter : network.parameters())
    values.push_back(parameter.value.detach());
  return values;
}

TEST(EncoderDecoder, TrainsALaneAloneAndInABankBitwiseAlike) {
  constexpr std::int64_t kLanes = 3;
  for (const bool fused : {true, false}) {
    train::NetworkSettings of_bank = settings_of({{"width", 32}}, kLanes);
    of_bank.fused = fused;
    train::Inputs inputs = inputs_of(kLanes, 3);
    inputs.dropout = 0.1;
    inputs.seeds = {7, 8, 9};
    const auto targets = testing::targets(inputs, 0.7);
    const auto bank = built(of_bank, {7, 8, 9});
    const auto together = trained(*bank, inputs, targets);
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      train::NetworkSettings of_one = of_bank;
      of_one.lanes = 1;
      train::Inputs own = testing::lane_of(inputs, lane);
      for (at::Tensor* field :
           {&own.source.tokens, &own.source.positions, &own.source.visible_from,
            &own.source.visible_until, &own.source.seen_from, &own.source.seen_until})
        *field = field->narrow(0, lane, 1).contiguous();
      const auto index = static_cast<std::size_t>(lane);
      const auto one = built(of_one, {inputs.seeds[index]});
      const auto alone = trained(*one, own, {targets[index]});
      for (std::size_t i = 0; i < alone.size(); ++i)
        EXPECT_TRUE(together[i].select(0, lane).equal(alone[i].select(0, 0)))
            << one->parameters()[i].name << (fused ? " fused" : " plain");
    }
  }
}

TEST(EncoderDecoder, FusedAndPlainAgree) {
  for (const Json& kind : every_kind()) {
    train::NetworkSettings settings = settings_of(kind);
    const auto fused = built(settings);
    settings.fused = false;
    const auto plain = built(settings);
    const train::Inputs inputs = inputs_of(1, 3);
    EXPECT_TRUE(fused->hidden(inputs).allclose(plain->hidden(inputs), 1e-4, 1e-5)) << kind;
  }
}

TEST(EncoderDecoder, RunsInBfloat16) {
  if (!bfloat16_refusal().empty()) GTEST_SKIP() << bfloat16_refusal();
  train::NetworkSettings settings = settings_of({{"width", 32}});
  const auto exact = built(settings);
  settings.bfloat16 = true;
  const auto rough = built(settings);
  const train::Inputs inputs = inputs_of(1, 3);
  const at::Tensor difference = rough->hidden(inputs) - exact->hidden(inputs);
  EXPECT_LT(difference.norm().item<double>() / exact->hidden(inputs).norm().item<double>(), 0.03);
}

TEST(EncoderDecoder, ReadsATextWithItsEncoder) {
  const auto network = built(settings_of({{"encoder_depth", 3}}));
  const auto layers = network->layers(testing::inputs(Seen::bidirectional, 1, 2, kSourceTime));
  EXPECT_EQ(layers.size(), 5u);
  EXPECT_THAT([&] { network->hidden(testing::inputs(Seen::causal, 1, 1, kTargetTime)); },
              ::testing::Throws<std::logic_error>());
}

TEST(EncoderDecoder, SharedBlocksAreAsManyInBoth) {
  const auto refusal = [](const Json& model) {
    return encoder_decoder_spec().refusal(Params(encoder_decoder_spec().params, model));
  };
  EXPECT_THAT(refusal({{"sharing", "shared"}, {"encoder_depth", 3}}),
              ::testing::HasSubstr("leave encoder_depth out"));
  EXPECT_EQ(refusal({{"sharing", "shared"}}), "");
}

/// Positions [first, first + count) of the decoder; the source with the first of them.
train::Inputs decoder_part(const train::Inputs& whole, std::int64_t first, std::int64_t count) {
  train::Inputs part;
  const auto cut = [&](const at::Tensor& x) { return x.narrow(2, first, count).contiguous(); };
  if (first == 0) part.source = whole.source;
  part.tokens = cut(whole.tokens);
  part.positions = cut(whole.positions);
  part.visible_from = cut(whole.visible_from);
  part.visible_until = cut(whole.visible_until);
  part.source.seen_from = cut(whole.source.seen_from);
  part.source.seen_until = cut(whole.source.seen_until);
  return part;
}

TEST(EncoderDecoder, ReadsItsTargetsStepByStepAndItsSourceOnce) {
  for (const Json& kind : every_kind()) {
    const auto network = built(settings_of(kind, 2));
    const train::Inputs whole = inputs_of(2, 3);
    const at::Tensor expected = network->hidden(whole).detach();
    train::DecodingState state = network->decoding(3).value();
    for (const auto& [first, count] : {std::pair{0, 2}, std::pair{2, 1}, std::pair{3, 3}}) {
      const at::Tensor hidden = network->step(state, decoder_part(whole, first, count),
                                              std::vector<std::int64_t>(3, count));
      EXPECT_LT((hidden - expected.narrow(2, first, count)).abs().max().item<double>(), 1e-5)
          << kind << " from " << first;
    }
  }
}

TEST(EncoderDecoder, KeepsAsMuchAsThePlannerCounts) {
  for (const Json& kind : every_kind()) {
    train::NetworkSettings settings = settings_of(kind);
    settings.hosting.shape = {32, kSourceTime};
    const auto network = built(settings);
    train::Inputs read = testing::inputs(Seen::causal, 1, 2, 32);
    const train::Inputs source = testing::inputs(Seen::bidirectional, 1, 2, kSourceTime, 4);
    const at::Tensor from = at::zeros_like(read.tokens);
    read.positions = read.positions.remainder(12);
    read.source = {source.tokens, source.positions,  source.visible_from, source.visible_until,
                   from,          from + kSourceTime};
    train::DecodingState state = network->decoding(2).value();
    network->step(state, read, {32, 32});
    std::int64_t numbers = 0;
    for (const std::vector<at::Tensor>& kept : state.mixers)
      for (const at::Tensor& tensor : kept) numbers += tensor.numel();
    EXPECT_EQ(numbers, 2 * encoder_decoder_spec().state(settings.model, settings.hosting)) << kind;
  }
}

TEST(EncoderDecoder, StepsOfSelectedRowsKeepTheirSources) {
  const auto network = built(settings_of());
  const train::Inputs whole = inputs_of(1, 3);
  const at::Tensor expected = network->hidden(whole).detach();
  train::DecodingState state = network->decoding(3).value();
  network->step(state, decoder_part(whole, 0, 2), {2, 2, 2});
  state.select({2, 0});
  const at::Tensor index = at::tensor(std::vector<std::int64_t>{2, 0});
  train::Inputs rest = decoder_part(whole, 2, 4);
  train::each_tensor([&](const auto& of) {
    if (of(rest).defined()) of(rest) = of(rest).index_select(1, index);
  });
  const at::Tensor hidden = network->step(state, rest, {4, 4});
  const at::Tensor wanted = expected.index_select(1, index).narrow(2, 2, 4);
  EXPECT_LT((hidden - wanted).abs().max().item<double>(), 1e-5);
}

}  // namespace
}  // namespace ablate::models
