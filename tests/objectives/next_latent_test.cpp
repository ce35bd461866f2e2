#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

TEST(NextLatent, CountsTheStepsThatAreLeftInTheDocument) {
  const std::vector<Token> tokens = {begin_token, 16, 17, end_token, begin_token, 18, end_token};
  const Objective objective = objective_of("next_latent", {{"steps", 2}}, 3, 8);
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  std::vector<std::pair<std::int32_t, Token>> labels;
  for (const Label& label : example.labels) labels.emplace_back(label.at, label.target);
  using ::testing::Pair;
  EXPECT_THAT(labels,
              ::testing::ElementsAre(Pair(1, 2), Pair(2, 2), Pair(3, 1), Pair(5, 2), Pair(6, 1)));
}

TEST(NextLatent, IsCausalLanguageModellingInItsFirstHead) {
  const std::vector<Token> tokens = text_of(60, 3);
  const Example ours = objective_of("next_latent", Json::object(), 3, 60)
                           .transform({.tokens = tokens}, Rng(1))
                           .front();
  const Example causal = objective_of("causal_lm", Json::object(), 3, 60)
                             .transform({.tokens = tokens}, Rng(1))
                             .front();
  EXPECT_EQ(ours.targets, causal.targets);
  EXPECT_EQ(ours.weights, causal.weights);
}

}  // namespace
}  // namespace ablate::objectives
