#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Objective diffusion(const Json& given = Json::object(), Token ordinary = 100) {
  return objective_of("masked_diffusion", given, ordinary, 512);
}

double fact_of(const Example& example) {
  EXPECT_EQ(example.facts.size(), 1u);
  EXPECT_EQ(example.facts.front().name, "time");
  return example.facts.front().value;
}

TEST(MaskedDiffusion, DrawsTheExamplesOfTheVectors) {
  const Json family = vectors_of("masked_diffusion");
  const std::vector<Token> tokens = family.at("text");
  ASSERT_FALSE(family.at("cases").empty());
  for (const Json& one : family["cases"]) {
    const Text text{.tokens = tokens, .row = one["row"], .rows = one["rows"]};
    const Example example = diffusion({{"epsilon", one["epsilon"]}}, 64)
                                .transform(text, Rng(one["seed"].get<std::uint64_t>()))
                                .front();
    EXPECT_NEAR(fact_of(example), one["time"].get<double>(), 1e-15) << one;
    EXPECT_EQ(example.loss_denominator, family["tokens_in_the_mean"].get<float>());
    Json hidden = Json::array();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (example.weights[i] > 0) hidden.push_back(i);
      EXPECT_EQ(example.weights[i] > 0, example.inputs[i] == mask_token) << i;
      EXPECT_TRUE(example.inputs[i] == mask_token || example.inputs[i] == tokens[i]) << i;
      EXPECT_TRUE(example.weights[i] == 0 || example.weights[i] == one["weight"].get<float>());
    }
    EXPECT_EQ(hidden, one["hidden"]) << one;
    EXPECT_EQ(example.hidden.size(), one["hidden"].size());
    EXPECT_EQ(example.targets, tokens);
  }
}

TEST(MaskedDiffusion, SharesTheTimesOutOverTheTextsOfAStep) {
  const std::vector<Token> tokens = text_of(20);
  const Objective objective = diffusion({{"epsilon", .1}});
  for (std::uint64_t step = 0; step < 50; ++step)
    for (std::int64_t row = 0; row < 8; ++row) {
      const Text text{.tokens = tokens, .row = row, .rows = 8};
      const Rng rng(1, Stream::corruption, step, static_cast<std::uint64_t>(row));
      const double time = fact_of(objective.transform(text, rng).front());
      EXPECT_GE(time, .1 + .9 * static_cast<double>(row) / 8);
      EXPECT_LE(time, .1 + .9 * static_cast<double>(row + 1) / 8);
    }
}

TEST(MaskedDiffusion, HidesEachTokenWithTheProbabilityOfItsTime) {
  // In each tenth of the times, the hidden tokens against the sum of their probabilities.
  const std::vector<Token> tokens = text_of(100);
  const double size = 100 - 4;
  const Objective objective = diffusion();
  double hidden[10] = {}, expected[10] = {}, variance[10] = {};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    const double time = fact_of(example), p = .999 * time;
    const auto tenth = std::min<std::size_t>(9, static_cast<std::size_t>(time * 10));
    hidden[tenth] += static_cast<double>(example.hidden.size());
    expected[tenth] += size * p;
    variance[tenth] += size * p * (1 - p);
  }
  for (std::size_t tenth = 0; tenth < 10; ++tenth) {
    EXPECT_GT(expected[tenth], 1000);
    EXPECT_NEAR(hidden[tenth], expected[tenth], 5 * std::sqrt(variance[tenth])) << tenth;
  }
}

TEST(MaskedDiffusion, InTheFormOfLladaHidesWithTheProbabilityOfTheTimeItself) {
  const std::vector<Token> tokens = text_of(100);
  const Objective mdlm = diffusion({{"epsilon", .1}}),
                  llada = diffusion({{"epsilon", .1}, {"form", "llada"}});
  double hidden = 0, expected = 0, variance = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Text text{.tokens = tokens};
    const Example ours = llada.transform(text, Rng(i)).front();
    const Example theirs = mdlm.transform(text, Rng(i)).front();
    const double time = fact_of(ours);
    EXPECT_EQ(time, fact_of(theirs)) << "both share their times";
    for (const float weight : ours.weights)
      EXPECT_TRUE(weight == 0 || weight == static_cast<float>(1 / time));
    EXPECT_GE(ours.hidden.size(), theirs.hidden.size());
    hidden += static_cast<double>(ours.hidden.size());
    expected += 96 * time;
    variance += 96 * time * (1 - time);
  }
  EXPECT_NEAR(hidden, expected, 5 * std::sqrt(variance));
  EXPECT_EQ(llada.intended.front().value, .55);
}

TEST(MaskedDiffusion, LearnsRatiosByAHeadOfTheirOwn) {
  EXPECT_EQ(diffusion().needs.heads.front().kind, "token");
  EXPECT_EQ(diffusion({{"loss", "score_entropy"}}).needs.heads.front().kind, "score");
  // What says what its absence says is absent, so that ids stay.
  const ObjectiveSpec& spec = spec_of("masked_diffusion");
  EXPECT_EQ(Params(spec.params, {{"form", "mdlm"}, {"loss", "cross_entropy"}}).json(),
            Params(spec.params, Json::object()).json());
}

TEST(MaskedDiffusion, DrawsEveryMaskOfASizeEquallyOften) {
  // 2 of 5: 10 sets; the 99.9 % point of chi-squared with 9 degrees of freedom is 27.9.
  const std::vector<Token> tokens = {begin_token, 16, 17, 18, 19, 20, end_token};
  std::map<std::vector<float>, int> seen;
  int drawn = 0;
  for (std::uint64_t i = 0; i < 60000; ++i) {
    Example example = diffusion().transform({.tokens = tokens}, Rng(i)).front();
    if (example.hidden.size() != 2) continue;
    for (float& weight : example.weights) weight = weight > 0;
    ++seen[example.weights];
    ++drawn;
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_GT(drawn, 9000);  // each count from 0 to 5 is equally likely
  double statistic = 0;
  for (const auto& [set, count] : seen) statistic += std::pow(count - drawn / 10., 2) * 10 / drawn;
  EXPECT_LT(statistic, 27.9);
}

/// The window with the tokens of `set` (bits by position) hidden, each with weight `weight`.
Example hidden_in(const std::vector<Token>& window, std::size_t set, float weight) {
  Example example{
      .inputs = window, .targets = window, .weights = std::vector<float>(window.size(), 0.0f)};
  float denominator = 0;
  for (std::size_t i = 0; i < window.size(); ++i) {
    denominator += window[i] >= special_count ? 1.0f : 0.0f;
    if (!(set >> i & 1)) continue;
    example.inputs[i] = mask_token;
    example.weights[i] = weight;
  }
  example.loss_denominator = denominator;
  return example;
}

/// Every set of hidden positions without special tokens.
std::vector<std::size_t> masks_of(const std::vector<Token>& window) {
  std::size_t special = 0;
  for (std::size_t i = 0; i < window.size(); ++i)
    special |= static_cast<std::size_t>(window[i] < special_count) << i;
  std::vector<std::size_t> masks;
  for (std::size_t set = 0; set < std::size_t{1} << window.size(); ++set)
    if (!(set & special)) masks.push_back(set);
  return masks;
}

/// P(visible tokens, positions of special tokens): the sum over all words at hidden positions.
double probability_of_visible(const Chain& chain, const std::vector<Token>& window,
                              const std::vector<Token>& inputs) {
  double total = 0;
  for (const std::vector<Token>& text : fillings(chain, window)) {
    bool agrees = true;
    for (std::size_t i = 0; i < text.size(); ++i)
      agrees = agrees && (inputs[i] == mask_token || inputs[i] == text[i]);
    if (agrees) total += window_probability(chain, text);
  }
  return total;
}

TEST(MaskedDiffusion, HasTheOptimumThatEnumerationGives) {
  const Chain chain = tiny_chain(3);
  const Objective objective = diffusion(Json::object(), 3);
  for (const std::vector<Token>& window : tiny_windows())
    for (const std::size_t set : masks_of(window)) {
      const Example example = hidden_in(window, set, 2.5f);
      double expected = 0;
      for (std::size_t i = 0; i < window.size(); ++i) {
        if (!(set >> i & 1)) continue;
        std::vector<Token> revealed = example.inputs;
        revealed[i] = window[i];
        expected -= 2.5 * std::log(probability_of_visible(chain, window, revealed) /
                                   probability_of_visible(chain, window, example.inputs));
      }
      const Loss loss = objective.optimum(chain, {.tokens = window}, example);
      EXPECT_NEAR(loss.total, expected, 1e-10);
      EXPECT_EQ(loss.weight, example.loss_denominator);
    }
}

/// B(hidden, visible + 1): the integral over p of p^hidden (1 - p)^visible / p.
double share_of_mask(int hidden, int visible) {
  return std::exp(std::lgamma(hidden) + std::lgamma(visible + 1) -
                  std::lgamma(hidden + visible + 1));
}

/// -log P(words | positions of special tokens).
double cost_of_words(const Chain& chain, const std::vector<Token>& window) {
  const std::vector<Token> nothing = hidden_in(window, masks_of(window).back(), 1).inputs;
  return -std::log(window_probability(chain, window) /
                   probability_of_visible(chain, window, nothing));
}

TEST(MaskedDiffusion, CostsWhatTheTextIsWorthOverAllTimes) {
  // The bound is tight: the exact predictor's loss, averaged over (0, 1], is -log P for each text.
  const Objective objective = diffusion(Json::object(), 3);
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    for (const std::vector<Token>& window : tiny_windows()) {
      const auto masks = masks_of(window);
      const int words = __builtin_popcountll(masks.back());
      double total = 0;
      for (const std::size_t set : masks) {
        const int hidden = __builtin_popcountll(set);
        if (hidden == 0) continue;
        const Example example = hidden_in(window, set, 1);
        total += share_of_mask(hidden, words - hidden) *
                 objective.optimum(chain, {.tokens = window}, example).total;
      }
      EXPECT_NEAR(total, cost_of_words(chain, window), 1e-10);
    }
  }
}

TEST(MaskedDiffusion, EstimatesTheWorthOfATextByItsDraws) {
  // Epsilon changes the mean by 3 epsilon of a token's loss, far less than the tolerance here.
  // By counts there is no minimum, and texts of which nothing is hidden count as well.
  const Chain chain = tiny_chain(4);
  for (const Json& settings : {Json{{"epsilon", .00001}}, Json{{"weights", "count"}}})
    for (const std::vector<Token>& window : {std::vector<Token>{16, 17, 18, 16, 16, 17},
                                             {begin_token, 17, end_token, begin_token, 18, 16}}) {
      const Objective objective = diffusion(settings, 3);
      constexpr std::int64_t kRows = 100;
      constexpr int kSteps = 200;
      double sum = 0, squares = 0;
      for (std::uint64_t step = 0; step < kSteps; ++step) {
        double of_step = 0;
        for (std::int64_t row = 0; row < kRows; ++row) {
          const Text text{.tokens = window, .row = row, .rows = kRows};
          const Rng rng(9, Stream::corruption, step, static_cast<std::uint64_t>(row));
          const Example example = objective.transform(text, rng).front();
          of_step += objective.optimum(chain, text, example).total;
        }
        sum += of_step / kRows;
        squares += of_step / kRows * of_step / kRows;
      }
      const double mean = sum / kSteps;
      const double error = std::sqrt((squares / kSteps - mean * mean) / kSteps);
      EXPECT_LT(error, 0.05);
      EXPECT_NEAR(mean, cost_of_words(chain, window), 4 * error + 1e-3) << settings;  // 4 sigma
    }
}

// The trap of MLM-U: of a mean over all hidden tokens of a batch, texts with few of them count little, and the
// expectation is no bound.
TEST(MaskedDiffusion, ByCountsGivesEachTextTheSameWeightHoweverManyTokensAreHidden) {
  const std::vector<Token> tokens = text_of(20);
  const Objective objective = diffusion({{"weights", "count"}});
  std::map<std::size_t, int> counts;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    ++counts[example.hidden.size()];
    double weight = 0;
    for (const float each : example.weights) weight += each;
    EXPECT_EQ(example.loss_denominator, 20) << "whatever is hidden, nothing included";
    if (!example.hidden.empty()) {
      EXPECT_NEAR(weight, 21, 1e-4);
    }
  }
  // Each number from 0 to 20 is equally likely; 5 sigma.
  for (std::size_t hidden = 0; hidden <= 20; ++hidden)
    EXPECT_NEAR(counts[hidden], 4000.0 / 21, 70) << hidden;
  EXPECT_EQ(objective.intended.front().value, .5);
  EXPECT_THROW(diffusion({{"weights", "count"}, {"form", "llada"}}), std::invalid_argument);
  EXPECT_THROW(diffusion({{"weights", "count"}, {"epsilon", 0.01}}), std::invalid_argument);
  EXPECT_THROW(diffusion({{"weights", "count"}, {"loss", "score_entropy"}}), std::invalid_argument);
}

TEST(MaskedDiffusion, ScoresATextOfSpecialTokensOverNothing) {
  const std::vector<Token> tokens = {end_token, begin_token};
  const Example example = diffusion().transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_EQ(example.loss_denominator, 0);
  EXPECT_EQ(example.weights, (std::vector<float>{0, 0}));
}

TEST(MaskedDiffusion, RefusesTimesThatGiveNoBoundOrNoWeight) {
  for (const double epsilon : {0.0, 0.2}) {
    try {
      diffusion({{"epsilon", epsilon}});
      ADD_FAILURE() << epsilon;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("epsilon = "), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("is outside [1e-05, 0.1]"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace ablate::objectives
