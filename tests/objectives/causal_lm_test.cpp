#include <gtest/gtest.h>

#include <cmath>
#include <functional>

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

Objective masked_inputs(const Json& given) { return objective_of("causal_lm", given, 3, 8); }

TEST(CausalLm, ShowsMasksAndStillPredictsEveryToken) {
  const std::vector<Token> tokens = {begin_token, 16, 17, 18, end_token, begin_token, 16, 17};
  const Objective objective = masked_inputs({{"input_mask", 0.5}});
  std::vector<int> masked(tokens.size(), 0);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    EXPECT_EQ(example.targets, tokens);
    EXPECT_EQ(example.weights, (std::vector<float>{0, 1, 1, 1, 1, 0, 1, 1}));
    ASSERT_EQ(example.shown.size(), tokens.size());
    for (std::size_t t = 0; t < tokens.size(); ++t)
      if (example.shown[t] != tokens[t]) {
        EXPECT_EQ(example.shown[t], mask_token);
        ++masked[t];
      }
  }
  for (const std::size_t special : {0u, 4u, 5u}) EXPECT_EQ(masked[special], 0);
  for (const std::size_t word : {1u, 2u, 3u, 6u, 7u}) EXPECT_NEAR(masked[word], 1000, 120);
}

TEST(CausalLm, DrawsTheRateOfEachTextWhereItIsUniform) {
  const Objective objective =
      objective_of("causal_lm", {{"input_mask", 0.6}, {"input_mask_rate", "uniform"}}, 64, 400);
  const std::vector<Token> tokens(400, 20);
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    const double rate = static_cast<double>(example.hidden.size()) / 400;
    EXPECT_LT(rate, 0.7);
    sum += rate;
    squares += rate * rate;
  }
  EXPECT_NEAR(sum / 2000, 0.3, 0.02);
  EXPECT_NEAR(squares / 2000 - sum * sum / 4e6, 0.03, 0.004);  // .6^2 / 12, and a little of masks
}

TEST(CausalLm, ReadsMasksAsNoEvidenceAsEnumerationDoes) {
  const Objective objective = masked_inputs({{"input_mask", 0.5}});
  const Token words[] = {16, 17, 18};
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    for (const std::vector<Token>& window : tiny_windows()) {
      const Text text{.tokens = window};
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        Example example = objective.transform(text, Rng(draw)).front();
        example.weights.front() = 0;
        // The sum over what the masked words may be, up to token `end`.
        const std::function<double(std::vector<Token>, std::size_t)> probability =
            [&](std::vector<Token> tokens, std::size_t at) -> double {
          while (at + 1 < tokens.size() && example.shown[at] != mask_token) ++at;
          if (at + 1 >= tokens.size()) return window_probability(chain, tokens);
          double sum = 0;
          for (const Token word : words) {
            tokens[at] = word;
            sum += probability(tokens, at + 1);
          }
          return sum;
        };
        double expected = 0;
        for (std::size_t t = 1; t < window.size(); ++t) {
          if (!(example.weights[t] > 0)) continue;
          std::vector<Token> with(window.begin(),
                                  window.begin() + static_cast<std::ptrdiff_t>(t) + 1);
          const double right = probability(with, 0);
          double all = 0;
          for (const Token next : {Token{16}, Token{17}, Token{18}, Token{end_token}}) {
            with.back() = next;
            all += probability(with, 0);
          }
          expected -= std::log(right / all);
        }
        EXPECT_NEAR(objective.optimum(chain, text, example).total, expected, 1e-10);
      }
    }
  }
}

TEST(CausalLm, MaskedInputsAreAbsentAtZeroAndOfHeldOutText) {
  const ObjectiveSpec& spec = spec_of("causal_lm");
  const Params zero(spec.params, {{"input_mask", 0}, {"input_mask_rate", "fixed"}});
  EXPECT_EQ(zero.json(), Params(spec.params, Json::object()).json());
  const Params some(spec.params, {{"input_mask", 0.3}, {"input_mask_rate", "uniform"}});
  EXPECT_EQ(held_out_params(spec, some).json(), zero.json());
  EXPECT_THROW(masked_inputs({{"input_mask_rate", "uniform"}}), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::objectives
