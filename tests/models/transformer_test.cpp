// Properties of the transformer that hold for all its options and kernels.

#include "models/transformer.h"

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/train/network/tensor_memory.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::kVocabulary;
using testing::Seen;

class Transformers : public ::testing::TestWithParam<bool> {
 protected:
  train::NetworkSettings settings(Json model = testing::tiny(), std::int64_t lanes = 1) const {
    train::NetworkSettings made = testing::settings(std::move(model), lanes);
    made.fused = GetParam();
    return made;
  }
};

at::Tensor hidden_of(train::Network& network, const train::Inputs& inputs) {
  const at::NoGradGuard no_gradient;
  return network.hidden(inputs);
}

TEST_P(Transformers, StartAtTheLossOfAUniformGuessUnderEveryOption) {
  for (const Json& model : testing::every_option({{"width", 64}, {"context", 12}})) {
    const auto network = testing::bank(settings(model));
    const train::Inputs inputs = testing::inputs(Seen::causal, 1, 8, 12);
    const auto targets = testing::targets(inputs, 1);
    const double loss = network->losses(network->hidden(inputs), targets).sum().item<double>();
    const double uniform = std::log(kVocabulary.size());
    EXPECT_NEAR(loss / testing::total_weight(targets[0]), uniform, 0.05 * uniform) << model;
  }
}

// Including gradients, and after 20 steps of descent: lanes are independent.
void expect_lanes_alone(const train::NetworkSettings& of_bank) {
  const std::int64_t lanes = of_bank.lanes;
  const std::vector<std::uint64_t> seeds = {5, 6, 7, 5, 9, 10, 11, 12};
  train::Inputs inputs = testing::inputs(Seen::anything, lanes, 3, 12);
  inputs.dropout = 0.1;
  inputs.seeds = seeds;
  const auto targets = testing::targets(inputs, 0.4);
  const auto train = [](train::Network& network, const train::Inputs& read,
                        const std::vector<train::LaneTargets>& scored) {
    for (int step = 0; step < 20; ++step) {
      network.losses(network.hidden(read), scored).sum().backward();
      const at::NoGradGuard no_gradient;
      for (train::Parameter& parameter : network.parameters()) {
        parameter.value.sub_(parameter.value.grad(), 1e-3);
        if (step < 19) parameter.value.grad().zero_();
      }
      network.parameters_changed();
    }
  };
  const auto together = testing::bank(of_bank, seeds);
  train(*together, inputs, targets);
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    train::NetworkSettings of_one = of_bank;
    of_one.lanes = 1;
    const auto alone = testing::bank(of_one, {seeds[static_cast<std::size_t>(lane)]});
    train(*alone, testing::lane_of(inputs, lane), {targets[static_cast<std::size_t>(lane)]});
    for (std::size_t i = 0; i < alone->parameters().size(); ++i) {
      const at::Tensor of_lane = together->parameters()[i].value;
      const at::Tensor own = alone->parameters()[i].value;
      EXPECT_TRUE(of_lane.select(0, lane).equal(own.select(0, 0))) << alone->parameters()[i].name;
      EXPECT_TRUE(of_lane.grad().select(0, lane).equal(own.grad().select(0, 0)));
    }
  }
}

TEST_P(Transformers, TrainALaneAloneAndInABankOfEightBitwiseAlike) {
  expect_lanes_alone(settings(testing::tiny(), 8));
  Json other = testing::tiny();
  other.update({{"width", 32},
                {"positions", "learned"},
                {"norm", "rms_norm"},
                {"activation", "swiglu"},
                {"head", "tied"}});
  expect_lanes_alone(settings(other, 8));
}

TEST_P(Transformers, ReadNothingOutsideTheVisibleInterval) {
  for (const Seen seen :
       {Seen::causal, Seen::documents, Seen::prefix, Seen::anything, Seen::split}) {
    Json model = testing::tiny();
    model["depth"] = 1;  // two blocks see what what they see sees
    const auto network = testing::bank(settings(model));
    train::Inputs inputs = testing::inputs(seen, 1, 1, 12);
    const at::Tensor before = hidden_of(*network, inputs);
    for (std::int64_t j = 0; j < 12; ++j) {
      train::Inputs changed = inputs;
      changed.tokens = inputs.tokens.clone();
      changed.tokens[0][0][j] =
          (inputs.tokens[0][0][j].item<std::int64_t>() + 1) % kVocabulary.size();
      const at::Tensor after = hidden_of(*network, changed);
      for (std::int64_t i = 0; i < 12; ++i) {
        const auto within = [&](const at::Tensor& from, const at::Tensor& until) {
          return from.defined() && from[0][0][i].item<std::int64_t>() <= j &&
                 j < until[0][0][i].item<std::int64_t>();
        };
        const bool sees = within(inputs.visible_from, inputs.visible_until) ||
                          within(inputs.also_from, inputs.also_until);
        EXPECT_EQ(before[0][0][i].equal(after[0][0][i]), i != j && !sees) << i << ' ' << j;
      }
    }
  }
}

TEST_P(Transformers, HaveTheStatesOfChosenPositionsThatTheyHaveOfAll) {
  std::vector<Json> models = testing::every_option({{"width", 64}, {"context", 12}});
  for (const Json& layers : {Json{"attention", "linear_attention"}, Json{"linear_attention"}}) {
    models.push_back(models.front());
    models.back()["layers"] = layers;
  }
  for (const Json& model : models) {
    const auto network = testing::bank(settings(model, 2));
    const train::Inputs inputs = testing::inputs(Seen::anything, 2, 3, 12);
    const at::Tensor all =
        hidden_of(*network, inputs).flatten(1, 2);  // [lane, row * time + t, width]
    for (const std::vector<std::int64_t>& chosen :
         {std::vector<std::int64_t>{17}, {0, 5, 11, 12, 35}, {35, 3, 3}, {}}) {
      const at::Tensor positions = at::tensor(chosen, at::kLong);
      const at::Tensor some = network->hidden_at(inputs, positions);
      EXPECT_EQ(some.sizes(), (at::IntArrayRef{2, 1, positions.numel(), 64}));
      EXPECT_TRUE(at::allclose(some.squeeze(1), all.index_select(1, positions), 1e-5, 1e-6))
          << model;
      EXPECT_FALSE(some.requires_grad());
    }
  }
}

TEST_P(Transformers, KeepDocumentsApartBitwise) {
  const auto network = testing::bank(settings());
  const train::Inputs inputs = testing::inputs(Seen::documents, 1, 2, 12);
  train::Inputs changed = inputs;
  changed.tokens = inputs.tokens.clone();
  changed.tokens.narrow(2, 0, 4).copy_(inputs.tokens.narrow(2, 4, 4));
  const at::Tensor before = hidden_of(*network, inputs);
  const at::Tensor after = hidden_of(*network, changed);
  EXPECT_TRUE(before.narrow(2, 4, 8).equal(after.narrow(2, 4, 8)));
  EXPECT_FALSE(before.narrow(2, 0, 4).equal(after.narrow(2, 0, 4)));
}

TEST_P(Transformers, StayFiniteWhereNothingIsSeen) {
  const auto network = testing::bank(settings());
  train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 12);
  inputs.visible_until.copy_(inputs.visible_from);
  const at::Tensor hidden = network->hidden(inputs);
  EXPECT_TRUE(hidden.isfinite().all().item<bool>());
  network->losses(hidden, testing::targets(inputs, 1)).sum().backward();
  for (const train::Parameter& parameter : network->parameters())
    EXPECT_TRUE(parameter.value.grad().isfinite().all().item<bool>()) << parameter.name;
  const at::Tensor shuffled = inputs.tokens.flip(2).contiguous();
  train::Inputs turned = inputs;
  turned.tokens = shuffled;  // without attention a state is its own token's alone
  EXPECT_TRUE(hidden_of(*network, turned).allclose(hidden.flip(2), 1e-5, 1e-6));
}

TEST_P(Transformers, OverfitOneBatchUnderEveryOption) {
  for (const Json& model :
       testing::every_option({{"width", 16}, {"heads", 2}, {"context", 12}, {"depth", 1}})) {
    const auto network = testing::bank(settings(model));
    const train::Inputs inputs = testing::inputs(Seen::bidirectional, 1, 2, 8);
    const auto targets = testing::targets(inputs, 0.5);
    double loss = 0;
    for (int step = 0; step < 100; ++step) {
      const at::Tensor total = network->losses(network->hidden(inputs), targets).sum();
      loss = total.item<double>() / testing::total_weight(targets[0]);
      total.backward();
      const at::NoGradGuard no_gradient;
      for (train::Parameter& parameter : network->parameters()) {
        at::Tensor& gradient = parameter.value.mutable_grad();
        parameter.value.sub_(gradient.sign(), 0.02 * (1 - step / 100.0));  // Adam without memory
        gradient.zero_();
      }
      network->parameters_changed();
    }
    EXPECT_LT(loss, 0.25) << model;
  }
}

TEST_P(Transformers, SeeRotaryPositionsUpToACommonShift) {
  const auto network = testing::bank(settings());
  train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 8);
  const at::Tensor before = hidden_of(*network, inputs);
  inputs.positions = inputs.positions + 4;
  EXPECT_TRUE(hidden_of(*network, inputs).allclose(before, 1e-4, 1e-5));
  inputs.positions = inputs.positions.flip(2).contiguous();
  EXPECT_FALSE(hidden_of(*network, inputs).allclose(before, 1e-2, 1e-2));
}

TEST_P(Transformers, SeeDistancesAloneWhereScoresFallWithThem) {
  train::NetworkSettings own = settings();
  own.model = Params(
      transformer_spec().params,
      Json{{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}, {"positions", "alibi"}});
  const auto network = testing::bank(own);
  train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 8);
  const at::Tensor before = hidden_of(*network, inputs);
  inputs.positions = inputs.positions + 4;
  EXPECT_TRUE(hidden_of(*network, inputs).allclose(before, 1e-4, 1e-5));
  inputs.positions = inputs.positions * 2;
  EXPECT_FALSE(hidden_of(*network, inputs).allclose(before, 1e-2, 1e-2));
}

TEST_P(Transformers, WithoutPositionsTellThemByWhatTheySeeAlone) {
  train::NetworkSettings bare = settings();
  bare.model = Params(
      transformer_spec().params,
      Json{{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}, {"positions", "none"}});
  const auto network = testing::bank(bare);
  train::Inputs inputs = testing::inputs(Seen::bidirectional, 1, 2, 8);
  const at::Tensor before = hidden_of(*network, inputs);
  inputs.positions = inputs.positions.flip(2).contiguous();
  EXPECT_TRUE(hidden_of(*network, inputs).equal(before));
  inputs.tokens = inputs.tokens.flip(2).contiguous();
  EXPECT_TRUE(hidden_of(*network, inputs).flip(2).allclose(before, 1e-4, 1e-5))
      << "a set of tokens";
}

TEST_P(Transformers, RotateByTheBaseThatIsSet) {
  const auto states = [&](double base) {
    train::NetworkSettings own = settings();
    own.model = Params(
        transformer_spec().params,
        Json{{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}, {"rotary_base", base}});
    return hidden_of(*testing::bank(own), testing::inputs(Seen::causal, 1, 2, 8));
  };
  const auto usual = testing::bank(settings());
  EXPECT_TRUE(states(10000).equal(hidden_of(*usual, testing::inputs(Seen::causal, 1, 2, 8))));
  EXPECT_FALSE(states(500000).allclose(states(10000), 1e-3, 1e-3));
}

TEST_P(Transformers, ScalePositionsBeforeTheyRotate) {
  const auto states = [&](double scale, std::int64_t apart) {
    train::NetworkSettings own = settings();
    own.model = Params(
        transformer_spec().params,
        Json{{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}, {"rotary_scale", scale}});
    train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 6);
    inputs.positions = inputs.positions * apart;
    return hidden_of(*testing::bank(own), inputs);
  };
  EXPECT_TRUE(states(2, 2).allclose(states(1, 1), 1e-5, 1e-6));
  EXPECT_FALSE(states(2, 1).allclose(states(1, 1), 1e-3, 1e-3));
}

// Whatever the size of queries and keys, their norm has that of its gains.
TEST_P(Transformers, NormQueriesAndKeysWhereThatIsSet) {
  for (const bool set : {false, true}) {
    train::NetworkSettings own = settings();
    own.model = Params(
        transformer_spec().params,
        Json{{"depth", 2}, {"width", 8}, {"heads", 2}, {"context", 12}, {"query_key_norm", set}});
    const auto network = testing::bank(own);
    const train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 8);
    const at::Tensor before = hidden_of(*network, inputs);
    const at::NoGradGuard no_gradient;
    for (train::Parameter& parameter : network->parameters())
      if (parameter.name.ends_with("qkv")) parameter.value.narrow(1, 0, 16).mul_(8);
    network->parameters_changed();
    EXPECT_EQ(hidden_of(*network, inputs).allclose(before, 1e-2, 1e-3), set);
  }
}

TEST_P(Transformers, ReadSecondPositionsWhereTheNeedsSaySo) {
  for (const char* positions : {"rotary", "learned"}) {
    Json model = testing::tiny();
    model["positions"] = positions;
    train::NetworkSettings own = settings(model);
    own.hosting.needs.inner_positions = true;
    const auto network = testing::bank(own);
    std::int64_t weights = 0;
    for (const train::Parameter& parameter : network->parameters())
      weights += parameter.value.numel();
    EXPECT_EQ(transformer_spec().parameters(own.model, own.hosting).total, weights) << positions;
    train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 8);
    const at::Tensor none = hidden_of(*network, inputs);
    inputs.inner = at::zeros_like(inputs.positions);
    EXPECT_TRUE(hidden_of(*network, inputs).equal(none)) << "without them all are 0";
    inputs.inner.narrow(2, 4, 4).copy_(inputs.positions.narrow(2, 0, 4) + 1);
    const at::Tensor some = hidden_of(*network, inputs);
    EXPECT_TRUE(some.narrow(2, 0, 4).equal(none.narrow(2, 0, 4)));
    EXPECT_FALSE(some.allclose(none, 1e-3, 1e-3));
    if (std::string(positions) == "learned") continue;
    // Rotary positions are relative in both dimensions.
    train::Inputs moved = inputs;
    moved.inner = inputs.inner + 3;
    EXPECT_TRUE(hidden_of(*network, moved).allclose(some, 1e-4, 1e-5));
    moved = inputs;
    moved.positions = inputs.positions + 2;
    EXPECT_TRUE(hidden_of(*network, moved).allclose(some, 1e-4, 1e-5));
  }
}

TEST_P(Transformers, TreatRowsOfABatchAlike) {
  const auto network = testing::bank(settings());
  train::Inputs inputs = testing::inputs(Seen::anything, 1, 4, 12);
  const at::Tensor before = hidden_of(*network, inputs);
  for (at::Tensor* each :
       {&inputs.tokens, &inputs.positions, &inputs.visible_from, &inputs.visible_until})
    *each = each->flip(1).contiguous();
  EXPECT_TRUE(hidden_of(*network, inputs).flip(1).allclose(before, 1e-5, 1e-6));
}

TEST_P(Transformers, GiveTheLastLayerAsHiddenStates) {
  const auto network = testing::bank(settings(testing::tiny(), 2));
  const train::Inputs inputs = testing::inputs(Seen::causal, 2, 3, 12);
  const std::vector<at::Tensor> layers = network->layers(inputs);
  ASSERT_EQ(layers.size(), 4u);
  for (const at::Tensor& layer : layers) {
    EXPECT_EQ(layer.sizes(), (std::vector<std::int64_t>{2, 3, 12, 8}));
    EXPECT_FALSE(layer.requires_grad());
  }
  EXPECT_TRUE(layers.back().equal(hidden_of(*network, inputs)));
}

TEST_P(Transformers, ScoreWhatTheirLogitsSay) {
  for (const char* head : {"free", "tied"}) {
    Json model = testing::tiny();
    model["head"] = head;
    const auto network = testing::bank(settings(model, 2));
    const train::Inputs inputs = testing::inputs(Seen::causal, 2, 3, 12);
    const auto targets = testing::targets(inputs, 0.4);
    const at::NoGradGuard no_gradient;
    const at::Tensor hidden = network->hidden(inputs);
    const at::Tensor losses = network->losses(hidden, targets);
    for (std::int64_t lane = 0; lane < 2; ++lane) {
      const train::LaneTargets& own = targets[static_cast<std::size_t>(lane)];
      const at::Tensor probabilities = network->logits(hidden, lane, own.positions).log_softmax(-1);
      const at::Tensor picked = probabilities.gather(1, own.targets.unsqueeze(1)).squeeze(1);
      EXPECT_NEAR(losses[lane].item<double>(), -(picked * own.weights).sum().item<double>(), 1e-4);
    }
  }
}

TEST_P(Transformers, ScoreNothingAsNothing) {
  train::keep_tensor_memory();
  const auto network = testing::bank(settings());
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 2, 12);
  const at::Tensor loss = network->losses(network->hidden(inputs), testing::targets(inputs, 0));
  EXPECT_EQ(loss.sum().item<float>(), 0);
  {
    // Freed memory that a gradient may reuse holds NaN.
    std::vector<at::Tensor> poison;
    for (const train::Parameter& parameter : network->parameters())
      poison.push_back(at::full(parameter.value.sizes(), NAN));
  }
  loss.sum().backward();
  for (const train::Parameter& parameter : network->parameters())
    EXPECT_TRUE(parameter.value.grad().eq(0).all().item<bool>()) << parameter.name;
}

TEST_P(Transformers, DropUnitsByKeyAndNotByLane) {
  const auto network = testing::bank(settings(testing::tiny(), 2), {3, 3});
  train::Inputs inputs = testing::inputs(Seen::causal, 2, 3, 12);
  for (at::Tensor* each :
       {&inputs.tokens, &inputs.positions, &inputs.visible_from, &inputs.visible_until})
    each->select(0, 1).copy_(each->select(0, 0));
  inputs.dropout = 0.3;
  inputs.seeds = {8, 8};
  const at::Tensor same = hidden_of(*network, inputs);
  EXPECT_TRUE(same[0].equal(same[1]));
  inputs.seeds = {8, 9};
  const at::Tensor other = hidden_of(*network, inputs);
  EXPECT_TRUE(other[0].equal(same[0]));
  EXPECT_FALSE(other[1].equal(same[1]));
  inputs.step = 1;
  EXPECT_FALSE(hidden_of(*network, inputs)[0].equal(same[0]));
}

TEST_P(Transformers, RefuseTargetsOfAnotherNumberOfLanes) {
  const auto network = testing::bank(settings());
  const train::Inputs inputs = testing::inputs(Seen::causal, 1, 1, 4);
  EXPECT_THROW(network->losses(network->hidden(inputs), {}), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Transformers, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Fused" : "Plain"; });

}  // namespace
}  // namespace ablate::models
