#include <gtest/gtest.h>

#include <cmath>

#include "harness/data/language/language.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

const Objective& causal() {
  static const Objective objective = objective_of("causal_lm", Json::object(), 3, 8);
  return objective;
}

TEST(CausalLm, ScoresEveryTokenButBeginTokens) {
  const std::vector<Token> tokens = {16, end_token, begin_token, 17};
  const auto examples = causal().transform({.tokens = tokens}, Rng(1));
  ASSERT_EQ(examples.size(), 1u);
  EXPECT_TRUE(examples[0].inputs.empty());
  EXPECT_TRUE(examples[0].hidden.empty());
  EXPECT_EQ(examples[0].targets, tokens);
  EXPECT_EQ(examples[0].weights, (std::vector<float>{1, 1, 0, 1}));
}

TEST(CausalLm, HasTheOptimumThatEnumerationGives) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Chain chain = tiny_chain(seed);
    for (const std::vector<Token>& window : tiny_windows()) {
      const Text text{.tokens = window};
      Example example = causal().transform(text, Rng(1)).front();
      example.weights.front() = 0;  // as a layout does: nothing predicts it
      if (window.size() > 4) example.weights[3] *= 0.5f;
      double expected = 0, weight = 0;
      for (std::size_t t = 1; t < window.size(); ++t) {
        const std::vector<Token> before(window.begin(),
                                        window.begin() + static_cast<std::ptrdiff_t>(t));
        const std::vector<Token> with(window.begin(),
                                      window.begin() + static_cast<std::ptrdiff_t>(t) + 1);
        expected -= example.weights[t] *
                    std::log(window_probability(chain, with) / window_probability(chain, before));
        weight += example.weights[t];
      }
      const Loss loss = causal().optimum(chain, text, example);
      EXPECT_NEAR(loss.total, expected, 1e-10);
      EXPECT_EQ(loss.weight, weight);
    }
  }
}

TEST(CausalLm, SharesProbabilityOneAmongTheNextTokens) {
  const Chain chain = tiny_chain(4);
  double total = 0;
  for (const Token next : {Token{16}, Token{17}, Token{18}, Token{end_token}}) {
    const std::vector<Token> tokens = {16, 18, 17, next};
    Example example{.targets = tokens, .weights = {0, 0, 0, 1}};
    total += std::exp(-causal().optimum(chain, {.tokens = tokens}, example).total);
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(CausalLm, PredictsNoBetterWhenTextIsCutShort) {
  // The entropy rate, estimated on complete documents, bounds the optimum on windows of the same
  // text, because cutting removes the past. They differ by at least 5 sigma at this size.
  const data::Language language(Params(data::language_params(), {{"tokens", 1000}}));
  Loss complete, cut;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto tokens = language.document(Rng(1, Stream::corpus, 0, i)).tokens;
    const auto score = [&](std::size_t first, std::size_t count, Loss& loss) {
      const Text text{.tokens = std::span(tokens).subspan(first, count)};
      loss += causal().optimum(language.chain(), text, causal().transform(text, Rng(1)).front());
    };
    score(0, tokens.size(), complete);
    for (std::size_t first = 0; first < tokens.size(); first += 8)
      score(first, std::min<std::size_t>(8, tokens.size() - first), cut);
  }
  EXPECT_EQ(complete.weight, cut.weight);
  EXPECT_LT(complete.mean().value() + 0.1, cut.mean().value());
}

TEST(CausalLm, KnowsTheUnigramWithoutContext) {
  const std::vector<Token> tokens = {begin_token, 16, 17, end_token, unknown_token};
  const Example example = causal().transform({.tokens = tokens}, Rng(1)).front();
  const std::vector<double> unigram = {0.5, 0.3, 0.2};
  const Loss loss = causal().context_free(unigram, {.tokens = tokens}, example);
  EXPECT_NEAR(loss.total, -std::log(0.5 * 0.3 * 0.2), 1e-12);
  EXPECT_EQ(loss.weight, 3);  // an id missing from the unigram is not scored
}

}  // namespace
}  // namespace ablate::objectives
