#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/contract/realised.h"
#include "harness/data/batches/layout.h"
#include "objectives/common/optimum/prefix.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

constexpr Token b = begin_token, e = end_token;

Objective prefix_lm(const Json& given = Json::object(), Token ordinary = 100) {
  return objective_of("prefix_lm", given, ordinary, 64);
}

const Json kLaws[] = {Json::object(),
                      {{"target_fraction", 0.25}},
                      {{"proportion", "fixed"}, {"prefix_fraction", 0.3}},
                      {{"proportion", "fixed"}, {"prefix_fraction", 0.99}},
                      {{"proportion", "beta"}, {"a", 0.1}, {"b", 0.1}},
                      {{"proportion", "beta"}, {"a", 5}, {"b", 2}}};

TEST(PrefixLm, ReadsAPrefixAndPredictsTheRest) {
  for (const Json& given : kLaws)
    for (std::size_t length = 2; length <= 64; ++length)
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto tokens = text_of(length);
        const auto examples = prefix_lm(given).transform({.tokens = tokens}, Rng(seed));
        ASSERT_EQ(examples.size(), 1u);
        std::vector<Token> joined = examples[0].inputs;
        ASSERT_FALSE(joined.empty());
        ASSERT_FALSE(examples[0].targets.empty());
        joined.insert(joined.end(), examples[0].targets.begin(), examples[0].targets.end());
        ASSERT_EQ(joined, tokens);
        for (std::size_t i = 0; i < examples[0].targets.size(); ++i)
          ASSERT_EQ(examples[0].weights[i], examples[0].targets[i] == b ? 0 : 1);
      }
}

TEST(PrefixLm, ReadsATextOfOneTokenAndPredictsNothing) {
  for (const Json& given : kLaws) {
    const std::vector<Token> tokens = {16};
    const Example example = prefix_lm(given).transform({.tokens = tokens}, Rng(1)).front();
    EXPECT_EQ(example.inputs, tokens);
    EXPECT_TRUE(example.targets.empty());
  }
}

PrefixDistribution distribution_of(const Json& given) {
  const std::string name = given.value("proportion", "uniform");
  if (name == "fixed")
    return {.kind = PrefixDistribution::Kind::fixed, .fraction = given["prefix_fraction"]};
  if (name == "beta")
    return {.kind = PrefixDistribution::Kind::beta, .a = given["a"], .b = given["b"]};
  return {.fraction = given.value("target_fraction", 0.5)};
}

std::map<std::int64_t, double> drawn(const PrefixDistribution& distribution, std::int64_t tokens,
                                     int draws) {
  std::map<std::int64_t, double> times;
  for (int i = 0; i < draws; ++i)
    ++times[prefix_length(distribution, tokens, Rng(static_cast<std::uint64_t>(i)))];
  return times;
}

TEST(PrefixLm, DrawsEveryLengthFromTheShortestAlike) {
  struct Case {
    double fraction;
    std::int64_t tokens, shortest;
  };
  constexpr int kDraws = 20000;
  for (const Case& one :
       {Case{.5, 10, 1}, {.5, 2, 1}, {.25, 10, 4}, {.25, 12, 6}, {.25, 4, 2}, {.15, 11, 7}}) {
    const auto times = drawn({.fraction = one.fraction}, one.tokens, kDraws);
    const auto choices = one.tokens - one.shortest;  // up to all but one token
    EXPECT_EQ(std::ssize(times), choices) << one.tokens;
    EXPECT_EQ(times.begin()->first, one.shortest);  // ties to even: round(4.5) = 4
    EXPECT_EQ(times.rbegin()->first, one.tokens - 1);
    double chi_squared = 0;
    const double mean = kDraws / static_cast<double>(choices);
    for (const auto& [length, count] : times) chi_squared += (count - mean) * (count - mean) / mean;
    const auto freedom = static_cast<double>(choices - 1);
    EXPECT_LE(chi_squared, freedom + 5 * std::sqrt(2 * freedom) + 5);  // 5 sigma
  }
}

TEST(PrefixLm, PredictsTheFractionThatItsLawSays) {
  for (const Json& given : kLaws) {
    const Objective objective = prefix_lm(given);
    for (const std::size_t length : {2, 3, 5, 16, 64}) {
      const auto tokens = text_of(length);
      Realised realised;
      for (std::uint64_t i = 0; i < 3000; ++i)
        realised.add({.tokens = tokens}, objective.transform({.tokens = tokens}, Rng(i)).front());
      EXPECT_NE(realised.find("prefix_surplus"), nullptr);
      EXPECT_EQ(deviation(objective.intended, realised), "") << given << ", " << length;
    }
  }
}

TEST(PrefixLm, PredictsTheStatedFractionOfLongTexts) {
  for (const Json& given : kLaws) {
    const PrefixDistribution distribution = distribution_of(given);
    const double predicted = 1 - mean_prefix(distribution, 10'000) / 10'000;
    EXPECT_NEAR(predicted, target_fraction(distribution), 2e-4) << given;
  }
}

// Means of all lengths up to this context would take time in proportion to its square: hours.
TEST(PrefixLm, ComputesTheMeanPrefixOnlyOfLengthsThatItReads) {
  const PrefixDistribution beta{.kind = PrefixDistribution::Kind::beta, .a = 2, .b = 3};
  const Objective objective = objective_of(
      "prefix_lm", {{"proportion", "beta"}, {"a", 2}, {"b", 3}}, 100, std::int64_t{1} << 17);
  for (const std::size_t length : {2, 3, 64, 3, 1000}) {
    const auto tokens = text_of(length);
    const Example example = objective.transform({.tokens = tokens}, Rng(length)).front();
    ASSERT_EQ(example.facts.size(), 1u);
    const auto size = static_cast<double>(length);
    const double mean = mean_prefix(beta, static_cast<std::int64_t>(length));
    EXPECT_EQ(example.facts[0].value, (static_cast<double>(example.inputs.size()) - mean) / size);
  }
}

TEST(PrefixLm, DrawsFractionsFromTheBetaDistribution) {
  // Beta(1, 1) is uniform; the cumulative distribution of Beta(2, 2) is 3 x^2 - 2 x^3.
  const PrefixDistribution one{.kind = PrefixDistribution::Kind::beta};
  for (std::uint64_t i = 0; i < 200; ++i)
    EXPECT_EQ(prefix_length(one, 50, Rng(i)), prefix_length({}, 50, Rng(i)));
  constexpr int kDraws = 20000;
  const auto times = drawn({.kind = PrefixDistribution::Kind::beta, .a = 2, .b = 2}, 11, kDraws);
  const auto below = [](double x) { return x * x * (3 - 2 * x); };
  for (const auto& [length, count] : times) {
    const auto x = static_cast<double>(length);
    const double p = below(x / 10) - below((x - 1) / 10);
    EXPECT_NEAR(count, kDraws * p, 5 * std::sqrt(kDraws * p)) << length;  // 5 sigma
  }
}

TEST(PrefixLm, CutsAFixedFractionWithHalvesToTheEvenNeighbour) {
  const PrefixDistribution distribution{.kind = PrefixDistribution::Kind::fixed, .fraction = .5};
  const std::int64_t expected[] = {1, 2, 2, 2, 3, 4, 4};  // of 2 to 8 tokens
  for (std::int64_t tokens = 2; tokens <= 8; ++tokens)
    EXPECT_EQ(prefix_length(distribution, tokens, Rng(1)), expected[tokens - 2]) << tokens;
}

TEST(PrefixLm, LetsTheLastOfThePrefixSeeItAllAndNothingElse) {
  // The state that reads the last prefix token predicts the first target.
  const Objective objective = prefix_lm({{"proportion", "fixed"}, {"prefix_fraction", 0.5}});
  const std::vector<Token> tokens = {b, 20, 21, 22, 23, e};
  const Text text{.tokens = tokens};
  const data::PlacedExample placed[] = {{text, objective.transform(text, Rng(1)).front(), 0}};
  ASSERT_EQ(placed[0].example.inputs.size(), 3u);
  const data::Batch batch =
      data::lay_out(placed, objective.needs, data::Packing::isolated, 1, {6, 0});
  EXPECT_EQ(batch.tokens, tokens);
  EXPECT_EQ(batch.visible_from, std::vector<std::int32_t>(6, 0));
  EXPECT_EQ(batch.visible_until, (std::vector<std::int32_t>{3, 3, 3, 4, 5, 6}));
  EXPECT_EQ(batch.scored[0].positions, (std::vector<std::int32_t>{2, 3, 4}));
  EXPECT_EQ(batch.scored[0].targets, (std::vector<Token>{22, 23, e}));
  // No state sees the token that it predicts.
  for (std::size_t i = 0; i < batch.scored[0].positions.size(); ++i) {
    const auto at = batch.scored[0].positions[i];
    EXPECT_EQ(batch.visible_until[static_cast<std::size_t>(at)], at + 1);
  }
}

TEST(PrefixLm, HasTheOptimumThatEnumerationGives) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Chain chain = tiny_chain(seed);
    for (const std::vector<Token>& window : tiny_windows())
      for (std::uint64_t i = 0; i < 4; ++i) {
        const Text text{.tokens = window};
        const Example example = prefix_lm(Json::object(), 3).transform(text, Rng(i)).front();
        double read = 0, weight = 0;  // over all texts whose documents end where this one's do
        for (const std::vector<Token>& other : fillings(chain, window))
          if (std::equal(example.inputs.begin(), example.inputs.end(), other.begin()))
            read += window_probability(chain, other);
        for (const Token target : example.targets) weight += target != b;
        const Loss loss = prefix_lm(Json::object(), 3).optimum(chain, text, example);
        EXPECT_NEAR(loss.total, std::log(read / window_probability(chain, window)), 1e-10);
        EXPECT_EQ(loss.weight, weight);
      }
  }
}

TEST(PrefixLm, KnowsTheUnigramWithoutContext) {
  const std::vector<Token> tokens = {16, 16, b, 17, e, unknown_token};
  const Objective objective = prefix_lm({{"proportion", "fixed"}, {"prefix_fraction", 0.01}});
  const Text text{.tokens = tokens};
  const Example example = objective.transform(text, Rng(1)).front();
  const Loss loss = objective.context_free(std::vector<double>{.5, .3, .2}, text, example);
  EXPECT_NEAR(loss.total, -std::log(.5 * .3 * .2), 1e-12);
  EXPECT_EQ(loss.weight, 3);  // an id missing from the unigram is not scored
}

TEST(PrefixLm, RefusesTargetsOfMoreThanHalf) {
  try {
    prefix_lm({{"target_fraction", 0.6}});
    FAIL() << "a target fraction of .6 was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "target_fraction = 0.6 is outside [0.01, 0.5] (proportion uniform: mean "
                 "fraction of the text that is predicted)");
  }
}

}  // namespace
}  // namespace ablate::objectives
