#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/objectives/continued.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Token B = begin_token, E = end_token;

Objective with(Json params, std::int64_t length = 8) {
  return objective_of("multi_token_prediction", params, 3, length);
}

/// {head, at, target} of every label.
std::vector<std::array<std::int64_t, 3>> labels(const Example& example) {
  std::vector<std::array<std::int64_t, 3>> list;
  for (const Label& label : example.labels) list.push_back({label.head, label.at, label.target});
  return list;
}

using L = std::array<std::int64_t, 3>;

TEST(MultiTokenPrediction, EachStateAlsoPredictsTheTokensAfterTheNext) {
  const std::vector<Token> tokens = {B, 16, 17, 18};
  const Example example = with({{"heads", 3}}).transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_THAT(labels(example), ElementsAre(L{1, 1, 17}, L{1, 2, 18}, L{2, 1, 18}));
  EXPECT_THAT(example.weights, ElementsAre(0, 1, 1, 1));
}

TEST(MultiTokenPrediction, NoHeadLooksPastTheEndOfADocument) {
  const std::vector<Token> tokens = {16, 17, E, B, 18, 16, E};
  const Example example = with({{"heads", 2}}).transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_THAT(labels(example), ElementsAre(L{1, 0, 17}, L{1, 1, E}, L{1, 4, 16}, L{1, 5, E}));
}

TEST(MultiTokenPrediction, WithOneHeadIsCausalLanguageModelling) {
  const std::vector<Token> tokens = text_of(60, 3);
  const Text text{.tokens = tokens};
  const Objective one = with({{"heads", 1}}, 60),
                  causal = objective_of("causal_lm", Json::object(), 3, 60);
  const Example a = one.transform(text, Rng(1)).front(), b = causal.transform(text, Rng(1)).front();
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_THAT(a.labels, IsEmpty());
  EXPECT_EQ(one.needs.heads.size(), 1u);
}

TEST(MultiTokenPrediction, StatesAHeadForEveryDistance) {
  const Needs needs = with({{"heads", 3}, {"coefficient", 0.3}, {"kind", "linear"}}).needs;
  ASSERT_EQ(needs.heads.size(), 3u);
  EXPECT_EQ(needs.heads[2].kind, "future_tokens");
  EXPECT_EQ(needs.heads[2].params.at("ahead"), 3);
  EXPECT_EQ(needs.heads[0].coefficient, 1);
  EXPECT_EQ(needs.heads[1].coefficient, 0.3);
  EXPECT_EQ(needs.heads[2].params.at("architecture"), "linear");
  EXPECT_EQ(needs.heads[2].params.at("trunk"), "shortened");
}

TEST(MultiTokenPrediction, MayChangeTheCoefficientOnTheWay) {
  const Needs needs =
      with({{"coefficient", 0.3}, {"later_coefficient", 0.1}, {"later_from", 0.5}}).needs;
  EXPECT_EQ(needs.heads[1].coefficient_at(0.49), 0.3);
  EXPECT_EQ(needs.heads[1].coefficient_at(0.5), 0.1);
  EXPECT_EQ(needs.heads[0].coefficient_at(0.9), 1);
  EXPECT_THROW(with({{"later_coefficient", 0.1}}), std::invalid_argument);
  EXPECT_THROW(with({{"later_from", 0.1}}), std::invalid_argument);
}

/// P(token at distance `further` + 1 after `before` | before, no end in between), by enumeration.
double enumerated(const Chain& chain, const std::vector<Token>& before, std::size_t further,
                  Token token) {
  double all = 0, those = 0;
  for (const auto& window : continued(before, further + 1)) {
    const double probability = window_probability(chain, window);
    all += probability;
    if (window.back() == token) those += probability;
  }
  return those / all;
}

TEST(MultiTokenPrediction, HasTheOptimaThatEnumerationGives) {
  for (const bool sequential : {false, true}) {
    const Objective objective =
        with({{"heads", 3}, {"kind", sequential ? "sequential" : "transformer"}});
    for (const std::uint64_t seed : {1u, 2u}) {
      const Chain chain = tiny_chain(seed);
      for (const std::vector<Token>& window : tiny_windows()) {
        const Text text{.tokens = window};
        Example example = objective.transform(text, Rng(1)).front();
        for (Label& label : example.labels)
          if (label.at == 0) label.weight = 0;  // as a layout does
        std::vector<Loss> expected(2);
        for (const Label& label : example.labels) {
          if (!(label.weight > 0)) continue;
          const auto further = static_cast<std::size_t>(label.head);
          const std::size_t read = static_cast<std::size_t>(label.at) + (sequential ? further : 0);
          const std::vector<Token> before(window.begin(),
                                          window.begin() + static_cast<std::ptrdiff_t>(read));
          expected[further - 1] +=
              {-std::log(enumerated(chain, before, sequential ? 0 : further, label.target)), 1};
        }
        const std::vector<Loss> found = objective.label_optima(chain, text, example);
        ASSERT_EQ(found.size(), 2u);
        for (std::size_t head = 0; head < 2; ++head) {
          EXPECT_NEAR(found[head].total, expected[head].total, 1e-10);
          EXPECT_EQ(found[head].weight, expected[head].weight);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ablate::objectives
