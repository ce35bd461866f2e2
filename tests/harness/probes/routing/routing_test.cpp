// What the routing probe says of choices that are known.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using testing::SmallWorld;

constexpr std::int64_t kExpertsThere = 4;

/// A network of which two layers choose experts by a rule, of a place's token and position.
class Routed final : public testing::Oracle {
 public:
  using Choice = std::function<at::Tensor(const train::Inputs&)>;  // [lane, batch, time, chosen]

  Routed(const Vocabulary& vocabulary, Choice choice)
      : Oracle(testing::uniform_rule(vocabulary)), choice_(std::move(choice)) {}

  std::vector<train::ChosenExperts> routes(const train::Inputs& inputs) override {
    return {2, {choice_(inputs).remainder(kExpertsThere), kExpertsThere}};
  }

 private:
  Choice choice_;
};

Measurement measured_with(const Routed::Choice& choice, const Routed::Choice& untrained) {
  static const BackboneSpec kSparse = {.name = "any", .routes = [](const Params&) { return true; }};
  const SmallWorld world;
  Routed network(world.vocabulary(), choice);
  return testing::measured_on(
      kSparse, world, testing::trial_of({{"type", "causal_lm"}}), network,
      [&] { return std::make_unique<Routed>(world.vocabulary(), untrained); },
      {{"type", "routing"}});
}

at::Tensor by_token(const train::Inputs& inputs) { return inputs.tokens.unsqueeze(-1); }
at::Tensor by_place(const train::Inputs& inputs) {
  return inputs.positions.unsqueeze(-1) + at::arange(2, at::kLong);
}
at::Tensor always_the_same(const train::Inputs& inputs) {
  return at::zeros_like(inputs.tokens).unsqueeze(-1);
}

TEST(RoutingProbe, TellsWhetherTheTokenDecides) {
  const auto metrics = measured_with(by_token, by_place).metrics;
  EXPECT_NEAR(metrics.at("routing.by_token"), 1, 1e-12);
  EXPECT_LT(metrics.at("routing.untrained_by_token"), 0.3);
}

TEST(RoutingProbe, TellsHowEvenlyExpertsAreUsed) {
  const Measurement measured = measured_with(always_the_same, by_place);
  EXPECT_DOUBLE_EQ(measured.metrics.at("routing.fullest"), kExpertsThere);
  EXPECT_DOUBLE_EQ(measured.metrics.at("routing.unused"), 0.75);
  EXPECT_EQ(measured.metrics.at("routing.by_token"), 0);
  EXPECT_LT(measured.metrics.at("routing.untrained_fullest"), 1.2);
  EXPECT_EQ(measured.metrics.at("routing.untrained_unused"), 0);
  EXPECT_EQ(measured.details.at("share_of_experts_by_layer"),
            Json::parse("[[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]"));
}

TEST(RoutingProbe, HasNothingToSayOfADenseModel) {
  const SmallWorld world;
  testing::Oracle network(testing::uniform_rule(world.vocabulary()));
  const Measurement measured = testing::measured(world, testing::trial_of({{"type", "causal_lm"}}),
                                                 network, {{"type", "routing"}});
  EXPECT_TRUE(measured.metrics.empty());
}

}  // namespace
}  // namespace ablate::probes
