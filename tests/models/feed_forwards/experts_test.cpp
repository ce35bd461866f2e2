// Experts against a plain sum over all of them, and what keeps them evenly used.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "models/feed_forwards/experts/routing.h"
#include "models/layers/balance.h"
#include "models/layers/embeddings.h"
#include "models/specs/layer_specs.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kSparseBatch = 3, kSparseTime = 12, kSparseWidth = 8, kSparseLanes = 2;

/// A layer of experts by itself.
struct LoneExperts {
  explicit LoneExperts(const Json& model)
      : settings(testing::settings(with_experts(model), kSparseLanes)),
        bank(settings),
        shape(shape_of(settings.model, settings.hosting)),
        embeddings(bank, shape) {
    const LayerSite site = {bank.parameters, shape, "layer."};
    first = bank.parameters.all().size();
    layer = build_feed_forward(*shape.feed_forward(0), site);
    double step = 0.3;
    const at::NoGradGuard no_gradient;
    for (train::Parameter& parameter : bank.parameters.all())
      parameter.value.copy_(at::arange(parameter.value.numel(), at::kFloat)
                                .mul(step += 0.1)
                                .sin()
                                .mul(0.5)
                                .view(parameter.value.sizes()));
  }

  static Json with_experts(Json model) {
    model["feed_forwards"] = {"experts"};
    return model;
  }

  /// The value of a parameter of the layer, such as "router".
  at::Tensor of(const std::string& name) {
    for (train::Parameter& parameter : bank.parameters.all())
      if (parameter.name == "layer." + name) return parameter.value;
    throw std::logic_error(name);
  }

  at::Tensor fed(const train::Inputs& inputs, const at::Tensor& normed) {
    Pass pass = embeddings.pass(inputs, 0);
    return layer->fed(pass, normed);
  }

  /// The same in double: every expert reads everything, and what was not chosen counts nothing.
  at::Tensor by_all_experts(const at::Tensor& normed) {
    const at::Tensor x = normed.to(at::kDouble);
    std::vector<at::Tensor> lanes;
    for (std::int64_t lane = 0; lane < kSparseLanes; ++lane) {
      const auto own = [&](const std::string& name) { return of(name)[lane].to(at::kDouble); };
      const auto dense = [&](const at::Tensor& up, const at::Tensor& down) {
        return at::gelu(x[lane].matmul(up.t())).matmul(down.t());
      };
      const at::Tensor shares = x[lane].matmul(own("router").t()).softmax(-1);
      const at::Tensor threshold =
          std::get<0>(shares.topk(shape.experts_per_token, -1)).select(-1, -1).unsqueeze(-1);
      at::Tensor gates = shares * shares.ge(threshold).detach();
      if (shape.experts_per_token > 1) gates = gates / gates.sum(-1, true);
      at::Tensor sum = at::zeros_like(x[lane]);
      for (std::int64_t e = 0; e < shape.experts; ++e)
        sum = sum + gates.select(-1, e).unsqueeze(-1) *
                        dense(own("experts_up")[e], own("experts_down")[e]);
      if (shape.shared_experts > 0) sum = sum + dense(own("shared_up"), own("shared_down"));
      lanes.push_back(sum);
    }
    return at::stack(lanes);
  }

  /// The gradients of the layer's parameters, which are cleared.
  std::vector<at::Tensor> take_gradients() {
    std::vector<at::Tensor> found;
    for (std::size_t i = first; i < bank.parameters.all().size(); ++i) {
      at::Tensor& gradient = bank.parameters.all()[i].value.mutable_grad();
      found.push_back(gradient.clone());
      gradient.zero_();
    }
    return found;
  }

  train::NetworkSettings settings;
  Bank bank;
  Shape shape;
  Embeddings embeddings;
  std::size_t first = 0;  // of the layer's parameters
  std::unique_ptr<const FeedForward> layer;
};

std::vector<Json> settings_of_experts() {
  std::vector<Json> all;
  for (const Json& given :
       {Json::object(), Json{{"experts_per_token", 1}}, Json{{"shared_experts", 1}},
        Json{{"experts", 5}, {"experts_per_token", 3}, {"shared_experts", 2}},
        Json{{"experts", 2}, {"experts_per_token", 2}}}) {
    all.push_back(testing::tiny());
    all.back().update(given);
  }
  return all;
}

at::Tensor some_rows() {
  return at::arange(kSparseLanes * kSparseBatch * kSparseTime * kSparseWidth, at::kFloat)
      .mul(0.7)
      .sin()
      .mul(1.5)
      .view({kSparseLanes, kSparseBatch, kSparseTime, kSparseWidth});
}

void expect_as_by_all(LoneExperts& lone, const at::Tensor& rows) {
  const train::Inputs inputs =
      testing::inputs(Seen::causal, kSparseLanes, kSparseBatch, kSparseTime);
  const at::Tensor read = rows.clone().requires_grad_(true),
                   also = rows.clone().requires_grad_(true);
  const at::Tensor own = lone.fed(inputs, read), expected = lone.by_all_experts(also);
  EXPECT_TRUE(own.to(at::kDouble).allclose(expected, 1e-5, 1e-5));
  const at::Tensor asked = rows.mul(3).cos();
  (own * asked).sum().backward();
  const std::vector<at::Tensor> gradients = lone.take_gradients();
  (expected * asked).sum().backward();
  const std::vector<at::Tensor> expected_gradients = lone.take_gradients();
  EXPECT_TRUE(read.grad().allclose(also.grad(), 1e-4, 1e-5));
  for (std::size_t i = 0; i < gradients.size(); ++i)
    EXPECT_TRUE(gradients[i].allclose(expected_gradients[i], 1e-4, 1e-4)) << i;
}

TEST(Experts, AreASumOverAllOfWhatWasChosen) {
  for (const Json& model : settings_of_experts()) {
    SCOPED_TRACE(model.dump());
    LoneExperts lone(model);
    expect_as_by_all(lone, some_rows());
  }
}

// A router that sends everything to the same ones is where a layer with a capacity would drop most.
TEST(Experts, DropNothingWhereAllPositionsChooseTheSame) {
  for (const Json& model : settings_of_experts()) {
    SCOPED_TRACE(model.dump());
    LoneExperts lone(model);
    {
      const at::NoGradGuard no_gradient;
      const at::Tensor order = at::arange(lone.shape.experts, at::kFloat).neg().mul(0.1);
      lone.of("router").copy_(order.view({1, -1, 1}).expand_as(lone.of("router")));
    }
    expect_as_by_all(lone, some_rows().abs() + 0.1);
  }
}

TEST(Routing, PutsEveryChoiceIntoABlockOfItsExpert) {
  for (const std::int64_t places : {1, 3, 40, 700})
    for (const std::int64_t experts : {2, 5, 16})
      for (const bool same : {false, true}) {
        const std::int64_t choices = 2;
        at::Tensor chosen =
            at::arange(kSparseLanes * places, at::kLong).view({kSparseLanes, places, 1});
        chosen = at::cat({chosen * 7 % experts, (chosen * 7 + 1) % experts}, -1);
        if (same) chosen = at::zeros_like(chosen) + at::arange(choices, at::kLong);
        const Routing routing = routed(chosen, experts);
        const std::int64_t slots = routing.places.size(1);
        EXPECT_EQ(slots, routing.owners.size(1) * routing.rows);
        EXPECT_LE(slots, places * choices + experts * routing.rows);
        for (std::int64_t lane = 0; lane < kSparseLanes; ++lane) {
          std::set<std::int64_t> used;
          for (std::int64_t place = 0; place < places; ++place)
            for (std::int64_t i = 0; i < choices; ++i) {
              const auto at = [&](const at::Tensor& x, auto... index) {
                at::Tensor value = x[lane];
                ((value = value[index]), ...);
                return value.template item<std::int64_t>();
              };
              const std::int64_t slot = at(routing.slots, place, i);
              ASSERT_TRUE(0 <= slot && slot < slots);
              EXPECT_TRUE(used.insert(slot).second) << "two choices at " << slot;
              EXPECT_EQ(at(routing.places, slot), place);
              EXPECT_EQ(at(routing.owners, slot / routing.rows), at(chosen, place, i));
            }
        }
      }
}

/// What the balance of documents adds to the loss, written out.
at::Tensor balance_of(const at::Tensor& shares, const at::Tensor& chosen,
                      const std::vector<std::int64_t>& begins, const at::Tensor& weights,
                      std::int64_t experts) {
  at::Tensor sum = at::zeros({}, at::kFloat);
  for (std::int64_t lane = 0; lane < kSparseLanes; ++lane)
    for (std::int64_t row = 0; row < kSparseBatch; ++row)
      for (std::size_t d = 0; d + 1 < begins.size(); ++d) {
        const std::int64_t size = begins[d + 1] - begins[d], place = row * kSparseTime + begins[d];
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
const std::vector<std::int64_t> kSparseDocuments = {0, 4, 5, kSparseTime};

train::Inputs documents_with_weights() {
  train::Inputs inputs = testing::inputs(Seen::causal, kSparseLanes, kSparseBatch, kSparseTime);
  for (std::size_t d = 0; d + 1 < kSparseDocuments.size(); ++d)
    inputs.visible_from
        .narrow(2, kSparseDocuments[d], kSparseDocuments[d + 1] - kSparseDocuments[d])
        .fill_(kSparseDocuments[d]);
  inputs.target_weights = at::arange(kSparseLanes * kSparseBatch * kSparseTime, at::kFloat)
                              .sin()
                              .abs()
                              .view({kSparseLanes, kSparseBatch, kSparseTime});
  return inputs;
}

TEST(Balance, OfEachDocumentWeighsAsMuchAsItsTargets) {
  constexpr std::int64_t kExperts = 4;
  constexpr double kCoefficient = 0.3;
  const train::Inputs inputs = documents_with_weights();
  const at::Tensor logits =
      at::arange(kSparseLanes * kSparseBatch * kSparseTime * kExperts, at::kFloat)
          .mul(1.3)
          .sin()
          .view({kSparseLanes, kSparseBatch * kSparseTime, kExperts});
  const at::Tensor own = logits.clone().requires_grad_(true);
  const at::Tensor shares = own.softmax(-1);
  const at::Tensor chosen = std::get<1>(shares.detach().topk(2, -1));
  const at::Tensor same = balanced(shares, chosen, inputs, kCoefficient);
  EXPECT_TRUE(same.equal(shares));
  (same * logits.cos()).sum().backward();

  const at::Tensor other = logits.clone().requires_grad_(true);
  const at::Tensor plain = other.softmax(-1);
  const at::Tensor added =
      balance_of(plain, chosen, kSparseDocuments, inputs.target_weights, kExperts);
  ((plain * logits.cos()).sum() + kCoefficient * added).backward();
  EXPECT_TRUE(own.grad().allclose(other.grad(), 1e-5, 1e-6));
}

TEST(Balance, OfOneDocumentIsBlindToTheOthers) {
  const auto gradient_with = [](std::int64_t changed) {
    train::Inputs inputs = documents_with_weights();
    at::Tensor logits = at::arange(kSparseLanes * kSparseBatch * kSparseTime * 4, at::kFloat)
                            .mul(1.3)
                            .sin()
                            .view({kSparseLanes, kSparseBatch, kSparseTime, 4})
                            .clone();
    if (changed >= 0) logits.select(2, changed).mul_(-2);
    logits = logits.flatten(1, 2).requires_grad_(true);
    const at::Tensor shares = logits.softmax(-1);
    balanced(shares, std::get<1>(shares.detach().topk(2, -1)), inputs, 1).mul(0).sum().backward();
    return logits.grad().view({kSparseLanes, kSparseBatch, kSparseTime, 4});
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
  Json model = LoneExperts::with_experts(testing::tiny());
  model["expert_balance"] = balance;
  Stepped made = {testing::bank(testing::settings(model, kSparseLanes)), {}};
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
      const at::Tensor in = lane.positions.ge(first * kSparseTime)
                                .logical_and(lane.positions.lt((first + count) * kSparseTime));
      lane = {lane.positions.index({in}) - first * kSparseTime, lane.targets.index({in}),
              lane.weights.index({in})};
    }
    made.totals = made.network->accumulate(rows, {own}, at::full({1, kSparseLanes}, 0.01));
  }
  return made;
}

TEST(Experts, AreBalancedInTrainingWithoutAChangeOfTheLoss) {
  const Stepped with = stepped(5, {{0, kSparseBatch}}), without = stepped(0, {{0, kSparseBatch}});
  EXPECT_TRUE(with.totals.losses.equal(without.totals.losses));
  EXPECT_FALSE(with.gradient("block.1.router").allclose(without.gradient("block.1.router")));
  // What follows the last router learns nothing of its balance.
  EXPECT_TRUE(with.gradient("norm").equal(without.gradient("norm")));
}

TEST(Experts, HaveTheGradientsOfTheirPartsOfABatch) {
  const Stepped whole = stepped(5, {{0, kSparseBatch}}),
                parts = stepped(5, {{0, 1}, {1, kSparseBatch - 1}});
  for (const train::Parameter& parameter : whole.network->parameters())
    EXPECT_TRUE(parameter.value.grad().allclose(parts.gradient(parameter.name), 1e-4, 1e-6))
        << parameter.name;
}

TEST(Experts, SayWhatWasChosen) {
  Json model = LoneExperts::with_experts(testing::tiny());
  model["feed_forwards"] = {"experts", "dense"};
  const auto network = testing::bank(testing::settings(model, kSparseLanes));
  const std::vector<train::ChosenExperts> routes =
      network->routes(testing::inputs(Seen::causal, kSparseLanes, kSparseBatch, kSparseTime));
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].experts, 8);
  EXPECT_EQ(routes[0].chosen.sizes(),
            (std::vector<std::int64_t>{kSparseLanes, kSparseBatch, kSparseTime, 2}));
  EXPECT_TRUE(routes[0].chosen.ge(0).logical_and(routes[0].chosen.lt(8)).all().item<bool>());
}

TEST(Experts, ReadAPositionWithAsManyWeightsAsADenseLayer) {
  const auto count = [](const Json& given) {
    Json model = {{"depth", 4}, {"width", 64}, {"heads", 4}};
    model.update(given);
    const train::NetworkSettings settings = testing::settings(model);
    return transformer_spec().parameters(settings.model, settings.hosting);
  };
  const ParameterCount dense = count(Json::object());
  EXPECT_EQ(dense.active(), dense.at_inference);
  for (const Json& given : {Json::object(), Json{{"experts_per_token", 4}, {"experts", 32}},
                            Json{{"shared_experts", 1}, {"experts_per_token", 3}}}) {
    Json model = given;
    model["feed_forwards"] = {"experts"};
    const ParameterCount sparse = count(model);
    EXPECT_NEAR(static_cast<double>(sparse.active()) / static_cast<double>(dense.active()), 1,
                0.05);
    EXPECT_GT(2 * sparse.at_inference, 3 * dense.at_inference);
  }
}

TEST(Experts, AreRefusedWhereThereAreTooFewOrNone) {
  const auto refused = [](const Json& model) {
    return transformer_spec().refusal(Params(transformer_spec().params, model));
  };
  EXPECT_EQ(refused({{"experts", 4}}),
            "experts is given, and no block has experts; leave it out, or name experts in "
            "feed_forwards");
  EXPECT_EQ(refused({{"feed_forwards", {"experts"}}, {"experts", 2}, {"experts_per_token", 3}}),
            "experts_per_token = 3 is more than experts = 2; choose fewer a token");
  EXPECT_EQ(refused({{"feed_forwards", {"experts", "dense"}}, {"experts", 4}}), "");
}

}  // namespace
}  // namespace ablate::models
