// The objectives with a head that says what stands ahead, order aside.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "harness/data/batches/layout.h"
#include "tests/objectives/continued.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr Token B = begin_token, E = end_token;
constexpr const char* kFutureWindows[] = {"discounted_futures", "token_order", "future_summary"};

/// The share of each token at each place; of a summary, a token of the set.
std::map<std::int32_t, std::map<Token, double>> shares(const Example& example) {
  std::map<std::int32_t, std::map<Token, double>> places;
  for (const Label& label : example.labels) places[label.at][label.target] += label.weight;
  return places;
}

Example example_of(const char* name, const Json& params, const std::vector<Token>& tokens) {
  return objective_of(name, params, 3, 64)
      .transform({.tokens = tokens, .room = std::ssize(tokens) + 64}, Rng(1))
      .front();
}

TEST(FutureWindows, HaveAsManyLabelsAtEachPlaceAsTheirHeadTakesAndNoneOfAnotherDocument) {
  const std::vector<Token> tokens = {16, 17, E, B, 18, 16, 18, 17, E, B, 17};
  for (const char* name : kFutureWindows) {
    const Example example = example_of(name, {{"window", 3}}, tokens);
    EXPECT_EQ(example.targets, tokens) << "the first head's";
    std::map<std::int32_t, int> count;
    for (const Label& label : example.labels) {
      EXPECT_EQ(label.head, 1);
      EXPECT_GT(label.weight, 0);
      ++count[label.at];
      // Labels of a place are tokens of its document, from that place on.
      const auto first = tokens.begin() + label.at;
      EXPECT_NE(std::find(first, std::find(first, tokens.end(), B), label.target),
                std::find(first, tokens.end(), B))
          << name << ", place " << label.at;
    }
    for (const auto& [at, labels] : count) EXPECT_EQ(labels, 3) << name << ", place " << at;
  }
}

// If a cut window counted where its document ends in it, what is scored would say that it ends.
TEST(FutureWindows, AreScoredWhereTheyEndBeforeTheTextIsCutWhateverIsInThem) {
  for (const char* name : kFutureWindows)
    for (const std::vector<Token>& tokens :
         {std::vector<Token>{B, 16, 17, 18, 16, 17}, {B, 16, 17, 18, 16, E}}) {
      const Example example = objective_of(name, {{"window", 2}}, 3, 64)
                                  .transform({.tokens = tokens, .room = 6}, Rng(1))
                                  .front();
      std::set<std::int32_t> places;
      for (const Label& label : example.labels) places.insert(label.at);
      const bool after_next = std::string_view(name) == "future_summary";
      EXPECT_EQ(places, after_next ? (std::set<std::int32_t>{1, 2, 3})
                                   : (std::set<std::int32_t>{1, 2, 3, 4}))
          << name;
    }
}

TEST(FutureWindows, RefuseAWindowThatTextsHaveNoRoomFor) {
  for (const char* name : kFutureWindows) {
    EXPECT_THROW(objective_of(name, {{"window", 8}}, 3, 8), std::invalid_argument) << name;
    EXPECT_NO_THROW(objective_of(name, {{"window", 8}}, 3, 10)) << name;
  }
}

TEST(DiscountedFutures, RefuseADiscountThatLeavesLabelsWithoutWeight) {
  EXPECT_THROW(objective_of("discounted_futures", {{"window", 64}, {"discount", 2}}, 3, 128),
               std::invalid_argument);
  const std::vector<Token> tokens = text_of(100, 3);
  const Example example =
      example_of("discounted_futures", {{"window", 5}, {"discount", 20}}, tokens);
  for (const Label& label : example.labels) EXPECT_GT(label.weight, 0);
}

TEST(DiscountedFutures, GiveATokenLessTheFurtherItIs) {
  const std::vector<Token> tokens = {B, 16, 17, 18, 17, E};
  const auto places = shares(example_of("discounted_futures", {{"window", 4}}, tokens));
  const double one = 1 + std::exp(-1) + std::exp(-2) + std::exp(-3);
  EXPECT_NEAR(places.at(1).at(16), 1 / one, 1e-6);
  EXPECT_NEAR(places.at(1).at(17), (std::exp(-1) + std::exp(-3)) / one, 1e-6) << "twice";
  EXPECT_NEAR(places.at(1).at(18), std::exp(-2) / one, 1e-6);
  // A place near the end has less to say, and weighs less.
  EXPECT_NEAR(places.at(5).at(E), 1 / one, 1e-6);
  EXPECT_EQ(places.count(0), 0u) << "no state of the document predicts its begin token";
}

TEST(DiscountedFutures, WithoutADiscountAreTheBagOfTheWindow) {
  const auto places = shares(
      example_of("discounted_futures", {{"window", 4}, {"discount", 0}}, {B, 16, 16, 18, 16, 17}));
  EXPECT_THAT(places.at(1), ElementsAre(Pair(16, ::testing::DoubleNear(.75, 1e-6)),
                                        Pair(18, ::testing::DoubleNear(.25, 1e-6))));
}

TEST(TokenOrder, RanksTokensByTheirFirstOccurrence) {
  const std::vector<Token> tokens = {B, 16, 17, 16, 18, E};
  const auto places = shares(example_of("token_order", {{"window", 4}}, tokens));
  const double sum = 1 + std::exp(-1) + std::exp(-3);
  EXPECT_NEAR(places.at(1).at(16), 1 / sum, 1e-6) << "its second occurrence does not count";
  EXPECT_NEAR(places.at(1).at(17), std::exp(-1) / sum, 1e-6);
  EXPECT_NEAR(places.at(1).at(18), std::exp(-3) / sum, 1e-6);
  for (const auto& [at, of] : places) {
    double all = 0;
    for (const auto& [token, share] : of) all += share;
    EXPECT_NEAR(all, 1, 1e-6) << at;
  }
}

// In half precision distances from 4096 down tie: 4096 - 0 and 4096 - 1 are the same number.
TEST(TokenOrder, TellsTheTwoNearestTokensApartInLongTexts) {
  std::vector<Token> tokens(5000, 18);
  tokens[0] = B;
  tokens[1] = 16;
  tokens[2] = 17;
  const auto places = shares(objective_of("token_order", {{"window", 64}}, 3, 5000)
                                 .transform({.tokens = tokens}, Rng(1))
                                 .front());
  EXPECT_NEAR(places.at(1).at(16) / places.at(1).at(17), std::exp(1), 1e-5);
}

TEST(FutureSummary, IsASetThatLeavesTheNextTokenOut) {
  const std::vector<Token> tokens = {B, 16, 17, 18, 17, E};
  const auto places = shares(example_of("future_summary", {{"window", 3}}, tokens));
  std::set<Token> first, last;
  for (const auto& [token, share] : places.at(1)) first.insert(token);
  for (const auto& [token, share] : places.at(4)) last.insert(token);
  EXPECT_EQ(first, (std::set<Token>{17, 18}));
  EXPECT_EQ(last, (std::set<Token>{E}));
  EXPECT_EQ(places.count(5), 0u) << "nothing follows the end";
}

/// The windows that may follow `before` and their probabilities: `most` tokens, or fewer where the document ends.
/// Requires: at least one.
struct Continuations {
  std::vector<std::vector<Token>> ahead;
  std::vector<double> probabilities;
};

Continuations continuations(const Chain& chain, const std::vector<Token>& before,
                            std::size_t most) {
  Continuations found;
  for (std::size_t more = 1; more <= most; ++more)
    for (const std::vector<Token>& window : continued(before, more)) {
      if (more < most && window.back() != E) continue;  // it goes on, and comes again
      found.ahead.emplace_back(window.begin() + static_cast<std::ptrdiff_t>(before.size()),
                               window.end());
      found.probabilities.push_back(window_probability(chain, window));
    }
  const double all = std::accumulate(found.probabilities.begin(), found.probabilities.end(), 0.0);
  for (double& probability : found.probabilities) probability /= all;
  return found;
}

/// -sum_v w_v log q_v, where q is the mean of w over what may follow.
double discounted_cost(const Continuations& may, const std::map<Token, double>& labels,
                       double discount) {
  std::map<Token, double> mean;
  double mass = 0;
  for (std::size_t i = 0; i < may.ahead.size(); ++i)
    for (std::size_t j = 0; j < may.ahead[i].size(); ++j) {
      const double weight = may.probabilities[i] * std::exp(-discount * static_cast<double>(j));
      mean[may.ahead[i][j]] += weight;
      mass += weight;
    }
  double cost = 0;
  for (const auto& [token, weight] : labels) cost -= weight * std::log(mean.at(token) / mass);
  return cost;
}

/// The binary costs of all tokens, where the probability of each is that of what may follow after the next one.
double summary_cost(const Continuations& may, const std::map<Token, double>& labels) {
  double cost = 0;
  for (const Token token : {Token{16}, Token{17}, Token{18}, E}) {
    double present = 0, all = 0;
    for (std::size_t i = 0; i < may.ahead.size(); ++i) {
      if (may.ahead[i].size() < 2) continue;  // it ended with the next token, and is not asked
      all += may.probabilities[i];
      if (std::find(may.ahead[i].begin() + 1, may.ahead[i].end(), token) != may.ahead[i].end())
        present += may.probabilities[i];
    }
    cost -= labels.contains(token) ? std::log(present / all) : std::log(1 - present / all);
  }
  return cost;
}

TEST(FutureWindows, HaveTheOptimaThatEnumerationGives) {
  for (const bool summary : {false, true})
    for (const std::uint64_t seed : {1u, 2u}) {
      const Chain chain = tiny_chain(seed);
      for (const std::vector<Token>& window : tiny_windows()) {
        Json params = {{"window", 3}};
        if (!summary) params["discount"] = 0.7;
        const Objective objective =
            objective_of(summary ? "future_summary" : "discounted_futures", params, 3, 64);
        const Text text{.tokens = window};
        Example example = objective.transform(text, Rng(1)).front();
        data::settle(example, objective.needs);
        double expected = 0, weight = 0;
        for (const auto& [at, labels] : shares(example)) {
          const double own =
              std::accumulate(labels.begin(), labels.end(), 0.0,
                              [](double sum, const auto& label) { return sum + label.second; });
          if (!(own > 0)) continue;
          const Continuations may =
              continuations(chain, {window.begin(), window.begin() + at}, summary ? 4 : 3);
          expected += summary ? summary_cost(may, labels) : discounted_cost(may, labels, 0.7);
          weight += own;
        }
        const std::vector<Loss> found = objective.label_optima(chain, text, example);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_NEAR(found[0].total, expected, 1e-5);  // weights of labels are floats
        EXPECT_NEAR(found[0].weight, weight, 1e-6);
      }
    }
}

TEST(FutureWindows, AreCausalLanguageModellingInTheirFirstHead) {
  const std::vector<Token> tokens = text_of(60, 3);
  const Objective causal = objective_of("causal_lm", Json::object(), 3, 60);
  const Example expected = causal.transform({.tokens = tokens}, Rng(1)).front();
  for (const char* name : kFutureWindows) {
    const Example example = example_of(name, Json::object(), tokens);
    EXPECT_EQ(example.targets, expected.targets);
    EXPECT_EQ(example.weights, expected.weights);
  }
}

}  // namespace
}  // namespace ablate::objectives
