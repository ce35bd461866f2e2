// Experts against a plain sum over all of them.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

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
            "experts_per_token = 3 is more than experts = 2; choose fewer per token");
  EXPECT_EQ(refused({{"feed_forwards", {"experts", "dense"}}, {"experts", 4}}), "");
}

}  // namespace
}  // namespace ablate::models
