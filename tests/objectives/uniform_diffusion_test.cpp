#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

constexpr Token kWords = 3;  // of the tiny chains

Objective uniform(const Json& given = Json::object(), Token ordinary = kWords) {
  return objective_of("uniform_diffusion", given, ordinary, 512);
}

double time_of(const Example& example) {
  EXPECT_EQ(example.facts.size(), 1u);
  EXPECT_EQ(example.facts.front().name, "time");
  return example.facts.front().value;
}

TEST(UniformDiffusion, SharesTheTimesOutAndWeighsEveryTokenByTheRateOfItsNoise) {
  const std::vector<Token> tokens = text_of(20);
  const Objective objective = uniform({{"epsilon", .1}}, 100);
  for (std::uint64_t step = 0; step < 50; ++step)
    for (std::int64_t row = 0; row < 8; ++row) {
      const Text text{.tokens = tokens, .row = row, .rows = 8};
      const Rng rng(1, Stream::corruption, step, static_cast<std::uint64_t>(row));
      const Example example = objective.transform(text, rng).front();
      const double time = time_of(example);
      EXPECT_GE(time, .1 + .8 * static_cast<double>(row) / 8);
      EXPECT_LE(time, .1 + .8 * static_cast<double>(row + 1) / 8);
      EXPECT_EQ(example.targets, tokens);
      std::size_t scored = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool special = tokens[i] < special_count;
        EXPECT_EQ(example.weights[i], special ? 0 : static_cast<float>(1 / (1 - time)));
        if (special) EXPECT_EQ(example.inputs[i], tokens[i]);
        scored += special ? 0 : 1;
      }
      EXPECT_EQ(example.loss_denominator, static_cast<float>(scored));
    }
}

TEST(UniformDiffusion, KeepsATokenOrDrawsOneOfAllWithTheProbabilitiesOfItsTime) {
  // Of a text of one word: what stands in its place, by tenths of the times.
  const std::vector<Token> tokens(50, 17);
  const Objective objective = uniform({{"epsilon", .01}}, 5);
  std::map<Token, double> seen[10], expected[10];
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    const double time = time_of(example);
    const auto tenth = std::min<std::size_t>(9, static_cast<std::size_t>(time * 10));
    for (const Token token : example.inputs) ++seen[tenth][token];
    for (Token word = 16; word < 21; ++word)
      expected[tenth][word] += 50 * (time / 5 + (word == 17 ? 1 - time : 0));
  }
  for (std::size_t tenth = 0; tenth < 10; ++tenth) {
    EXPECT_LE(seen[tenth].size(), 5u);
    double statistic = 0;
    for (const auto& [token, count] : expected[tenth])
      statistic += std::pow(seen[tenth][token] - count, 2) / count;
    EXPECT_LT(statistic, 18.5) << tenth;  // the 99.9 % point with 4 degrees of freedom
  }
}

TEST(UniformDiffusion, NamesWhatItReplaced) {
  const std::vector<Token> tokens = text_of(40);
  const Example example =
      uniform(Json::object(), 100).transform({.tokens = tokens}, Rng(3)).front();
  std::vector<bool> named(tokens.size());
  for (const Hidden& hidden : example.hidden) {
    EXPECT_EQ(hidden.how, HiddenAs::random);
    named[static_cast<std::size_t>(hidden.position)] = true;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i)
    EXPECT_TRUE(named[i] || example.inputs[i] == tokens[i]);
  EXPECT_FALSE(example.hidden.empty());
}

TEST(UniformDiffusion, AsksForAHeadThatKnowsTheNoise) {
  const HeadNeed need = uniform({{"scores", "free"}}, 100).needs.heads.front();
  EXPECT_EQ(need.kind, "uniform_score");
  EXPECT_EQ(need.params, Json({{"scores", "free"}}));
  EXPECT_THROW(uniform(Json::object(), 1), std::invalid_argument);
}

/// P(noised | text) at a time.
double noise_probability(const std::vector<Token>& text, const std::vector<Token>& noised,
                         double time) {
  double probability = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < special_count) continue;
    probability *= time / kWords + (text[i] == noised[i] ? 1 - time : 0);
  }
  return probability;
}

/// P(noised text, what is special) at a time, by enumeration.
double noised_probability(const Chain& chain, const std::vector<Token>& noised, double time) {
  double total = 0;
  for (const std::vector<Token>& text : fillings(chain, noised))
    total += window_probability(chain, text) * noise_probability(text, noised, time);
  return total;
}

/// The example of a window that noise has turned into `inputs`.
Example noised_to(const std::vector<Token>& window, std::vector<Token> inputs, double time) {
  Example example{.inputs = std::move(inputs), .targets = window, .weights = {}};
  float denominator = 0;
  for (const Token token : window) {
    const bool word = token >= special_count;
    example.weights.push_back(word ? static_cast<float>(1 / (1 - time)) : 0);
    denominator += word ? 1 : 0;
  }
  example.loss_denominator = denominator;
  return example;
}

/// Denoising score entropy by its definition, of ratios of enumerated probabilities.
double enumerated_cost(const Chain& chain, const std::vector<Token>& window,
                       const std::vector<Token>& inputs, double time) {
  double total = 0;
  const double here = noised_probability(chain, inputs, time);
  for (std::size_t i = 0; i < window.size(); ++i) {
    if (window[i] < special_count) continue;
    for (Token y = special_count; y < special_count + kWords; ++y) {
      if (y == inputs[i]) continue;
      std::vector<Token> other = inputs;
      other[i] = y;
      const double score = noised_probability(chain, other, time) / here;
      const double ratio =
          noise_probability(window, other, time) / noise_probability(window, inputs, time);
      total += (score - ratio * std::log(score) + ratio * (std::log(ratio) - 1)) / kWords;
    }
  }
  return total / (1 - time);
}

/// A number that a float has, near this one: weights are floats.
double time_of_weight(double time) {
  return 1 - 1 / static_cast<double>(static_cast<float>(1 / (1 - time)));
}

TEST(UniformDiffusion, HasTheOptimumThatEnumerationGives) {
  const Chain chain = tiny_chain(3);
  const Objective objective = uniform();
  for (const std::vector<Token>& window : tiny_windows()) {
    std::size_t number = 0;
    for (const std::vector<Token>& inputs : fillings(chain, window)) {
      if (number++ % 61 != 0) continue;  // each costs a sum over all words at all places
      for (const double asked : {.05, .5, .9}) {
        const double time = time_of_weight(asked);
        const Example example = noised_to(window, inputs, asked);
        const Loss loss = objective.optimum(chain, {.tokens = window}, example);
        EXPECT_NEAR(loss.total, enumerated_cost(chain, window, inputs, time), 1e-10);
        EXPECT_EQ(loss.weight, example.loss_denominator);
      }
    }
  }
}

/// Nodes and weights of the Gauss-Legendre rule on [0, 1], by Newton's method.
std::vector<std::pair<double, double>> quadrature(int count) {
  std::vector<std::pair<double, double>> rule;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(M_PI * (i + .75) / (count + .5)), derivative = 0;
    for (int step = 0; step < 100; ++step) {
      double before = 1, now = x;
      for (int k = 2; k <= count; ++k)
        before = std::exchange(now, ((2 * k - 1) * x * now - (k - 1) * before) / k);
      derivative = count * (x * now - before) / (x * x - 1);
      x -= now / derivative;
    }
    rule.emplace_back((1 + x) / 2, 1 / ((1 - x * x) * derivative * derivative));
  }
  return rule;
}

TEST(UniformDiffusion, CostsWhatTheTextIsWorthOverAllTimes) {
  // The bound is tight: over all times and all noise, the exact predictor's loss is -log P.
  const Objective objective = uniform();
  const Chain chain = tiny_chain(1);
  for (const std::vector<Token>& window :
       {std::vector<Token>{16, 17, 18, 16}, {begin_token, 17, end_token, begin_token, 18, 16}}) {
    double total = 0, of_all_texts = 0;
    for (const std::vector<Token>& text : fillings(chain, window))
      of_all_texts += window_probability(chain, text);
    for (const auto& [node, share] : quadrature(40)) {
      // Near 0 the loss falls as log(time): squares of the nodes spread such times out.
      const double time = time_of_weight(node * node), step = share * 2 * node;
      for (const std::vector<Token>& inputs : fillings(chain, window))
        total +=
            step * noise_probability(window, inputs, time) *
            objective.optimum(chain, {.tokens = window}, noised_to(window, inputs, time)).total;
    }
    EXPECT_NEAR(total, -std::log(window_probability(chain, window) / of_all_texts), 1e-5);
  }
}

TEST(UniformDiffusion, WithoutItsKeptTokensIsNoBound) {
  // The trap: what was not replaced is scored as well, since nothing says so.
  const Objective objective = uniform();
  const Chain chain = tiny_chain(1);
  const std::vector<Token> window = {16, 17, 18, 16};
  double all = 0, replaced = 0;
  for (const auto& [time, share] : quadrature(20))
    for (const std::vector<Token>& inputs : fillings(chain, window)) {
      Example example = noised_to(window, inputs, time);
      const double probability = share * noise_probability(window, inputs, time);
      all += probability * objective.optimum(chain, {.tokens = window}, example).total;
      for (std::size_t i = 0; i < window.size(); ++i)
        if (inputs[i] == window[i]) example.weights[i] = 0;
      if (inputs != window)
        replaced += probability * objective.optimum(chain, {.tokens = window}, example).total;
    }
  EXPECT_LT(replaced, .95 * all);
}

TEST(UniformDiffusion, WithoutContextCostsWhatIndependentTokensDo) {
  // A language of independent words: its exact predictor reads nothing but the place.
  Chain chain{.ordinary = kWords, .states = 2};
  chain.blocks = {{.topic = 0, .name = 0, .probability = 1, .mass = 1}};
  chain.start = {1, 0};
  chain.transition = {.8, .2, 0, 0};
  chain.emission = {.5, .3, .2, 0, 0, 0};
  chain.stationary = {.8, .2};
  const std::vector<double> unigram = {.4, .24, .16, .2};
  const Objective objective = uniform();
  const std::vector<Token> window = {begin_token, 16, 18, 17, 16, end_token};
  for (const std::vector<Token>& inputs : fillings(chain, window)) {
    const Example example = noised_to(window, inputs, .4);
    const Loss own = objective.context_free(unigram, {.tokens = window}, example);
    EXPECT_NEAR(own.total, objective.optimum(chain, {.tokens = window}, example).total, 1e-9);
  }
}

TEST(UniformDiffusion, ScoresATextOfSpecialTokensOverNothing) {
  const std::vector<Token> tokens = {end_token, begin_token};
  const Example example = uniform().transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_EQ(example.loss_denominator, 0);
  EXPECT_EQ(example.weights, (std::vector<float>{0, 0}));
  EXPECT_EQ(uniform().optimum(tiny_chain(1), {.tokens = tokens}, example).total, 0);
}

}  // namespace
}  // namespace ablate::objectives
