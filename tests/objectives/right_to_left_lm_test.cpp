#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/data/batches/layout.h"
#include "harness/data/language/language.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

const Objective& reversed() {
  static const Objective objective = objective_of("right_to_left_lm", Json::object(), 3, 8);
  return objective;
}

/// The example of a text, with the weights that a layout leaves.
Example settled(const Objective& objective, std::span<const Token> tokens) {
  Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  data::settle(example, objective.needs);
  return example;
}

/// The exact predictor's total loss of a text.
double total(const Objective& objective, const Chain& chain, std::span<const Token> tokens) {
  return objective.optimum(chain, {.tokens = tokens}, settled(objective, tokens)).total;
}

TEST(RightToLeftLm, ReadsTheEndFirstAndScoresTheBegin) {
  const std::vector<Token> tokens = {begin_token, 16, 17, end_token};
  const Example example = settled(reversed(), tokens);
  EXPECT_TRUE(example.inputs.empty());
  EXPECT_THAT(example.targets, testing::ElementsAre(end_token, 17, 16, begin_token));
  EXPECT_THAT(example.weights, testing::ElementsAre(0, 1, 1, 1));
}

TEST(RightToLeftLm, DoesNotScoreWhatNothingWasReadBefore) {
  const std::vector<Token> cut = {16, 17, 18};
  EXPECT_THAT(settled(reversed(), cut).weights, testing::ElementsAre(0, 1, 1));
}

// P(token | tokens after it) by the probabilities of windows, which are summed over all states.
TEST(RightToLeftLm, HasTheOptimumThatEnumerationGives) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Chain chain = tiny_chain(seed);
    for (const std::vector<Token>& window :
         {std::vector<Token>{16, 17, 18, 16}, {17, 17, end_token}, {18, 16, 16, 17, end_token}}) {
      double expected = 0;
      for (std::size_t t = 0; t + 1 < window.size(); ++t) {
        const auto from = [&](std::size_t first) {
          return window_probability(
              chain, {window.begin() + static_cast<std::ptrdiff_t>(first), window.end()});
        };
        expected -= std::log(from(t) / from(t + 1));
      }
      EXPECT_NEAR(total(reversed(), chain, window), expected, 1e-10);
    }
  }
}

TEST(RightToLeftLm, SharesProbabilityOneAmongTheTokensThatCanComeBefore) {
  const Chain chain = tiny_chain(4);
  double sum = 0;
  for (const Token before : {Token{16}, Token{17}, Token{18}, Token{begin_token}}) {
    const std::vector<Token> tokens = {before, 16, 18, 17};
    const Example example{.targets = {17, 18, 16, before}, .weights = {0, 0, 0, 1}};
    sum += std::exp(-reversed().optimum(chain, {.tokens = tokens}, example).total);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

// The law of the arrow: P(document) has no direction.
TEST(RightToLeftLm, OfAWholeDocumentHasTheOptimumOfCausalLm) {
  const Objective causal = objective_of("causal_lm", Json::object(), 3, 8);
  for (const Json& settings :
       {Json{{"tokens", 1000}}, Json{{"tokens", 1000}, {"names", 8}, {"sentence_length", 6}}}) {
    const data::Language language(Params(data::language_params(), settings));
    for (std::uint64_t i = 0; i < 200; ++i) {
      const auto tokens = language.document(Rng(1, Stream::corpus, 0, i)).tokens;
      const double left_to_right = total(causal, language.chain(), tokens);
      EXPECT_NEAR(total(reversed(), language.chain(), tokens), left_to_right,
                  1e-10 * left_to_right);
    }
  }
}

TEST(RightToLeftLm, KnowsTheUnigramWithoutContext) {
  const std::vector<Token> tokens = {begin_token, 16, 17, end_token};
  const std::vector<double> unigram = {0.5, 0.3, 0.2};  // the last: of an end token
  const Loss loss =
      reversed().context_free(unigram, {.tokens = tokens}, settled(reversed(), tokens));
  EXPECT_NEAR(loss.total, -std::log(0.5 * 0.3 * 0.2), 1e-12);
  EXPECT_EQ(loss.weight, 3);
}

}  // namespace
}  // namespace ablate::objectives
