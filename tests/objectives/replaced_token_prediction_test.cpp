#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;

constexpr const char* kName = "replaced_token_prediction";

Objective prediction(const Json& settings, Token ordinary = 10, std::int64_t length = 400) {
  return objective_of(kName, settings, ordinary, length);
}

TEST(ReplacedTokenPrediction, ReadsWhatDetectionReads) {
  const Tokens tokens = text_of(400, 10);
  for (const Json& settings :
       {Json{{"rate", 0.3}}, Json{{"rate", 0.3}, {"generator", "learned"}}}) {
    const Objective detection = objective_of("replaced_token_detection", settings, 10, 400);
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      EXPECT_EQ(prediction(settings).transform({.tokens = tokens}, Rng(seed)).front().inputs,
                detection.transform({.tokens = tokens}, Rng(seed)).front().inputs);
  }
}

TEST(ReplacedTokenPrediction, PredictsTheTextWhereItWasReplacedOrEverywhere) {
  const Tokens tokens = text_of(400, 10);
  for (const char* predict : {"replaced", "all"}) {
    const Example example =
        prediction({{"predict", predict}}).transform({.tokens = tokens}, Rng(3)).front();
    EXPECT_EQ(example.targets, tokens);
    std::vector<float> expected(tokens.size(), 0.0f);
    for (const Hidden& hidden : example.hidden)
      expected[static_cast<std::size_t>(hidden.position)] = 1;
    if (predict == std::string("all"))
      for (std::size_t i = 0; i < tokens.size(); ++i)
        expected[i] = tokens[i] >= special_count ? 1.0f : 0.0f;
    EXPECT_EQ(example.weights, expected);
    EXPECT_TRUE(example.labels.empty());
  }
}

TEST(ReplacedTokenPrediction, OfReplacedPlacesAloneIsMaskedLMThatShowsRandomTokens) {
  const Objective own = prediction({{"rate", 0.4}}, 3, 8),
                  masked = objective_of(
                      "masked_lm", {{"rate", 0.4}, {"mask_share", 0}, {"random_share", 1}}, 3, 8);
  const Chain chain = tiny_chain(1);
  const std::vector<double> unigram = {0.6, 0.1, 0.1, 0.2};
  for (const Tokens& window : tiny_windows()) {
    const Text text{.tokens = window};
    const Example example = own.transform(text, Rng(3)).front();
    EXPECT_EQ(own.optimum(chain, text, example).total, masked.optimum(chain, text, example).total);
    EXPECT_EQ(own.context_free(unigram, text, example).total,
              masked.context_free(unigram, text, example).total);
  }
}

/// All texts of the window's length whose special tokens are the window's.
std::vector<Tokens> could_be(const Tokens& window) {
  std::vector<Tokens> texts = {{}};
  for (const Token token : window) {
    std::vector<Tokens> longer;
    for (const Tokens& begun : texts)
      for (const Token word : {16, 17, 18}) {
        longer.push_back(begun);
        longer.back().push_back(token < special_count ? token : word);
        if (token < special_count) break;
      }
    texts = std::move(longer);
  }
  return texts;
}

TEST(ReplacedTokenPrediction, OfAllPlacesHasTheOptimumThatEnumerationGives) {
  constexpr double kRate = 0.4;
  const Objective objective = prediction({{"rate", kRate}, {"predict", "all"}}, 3, 8);
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    for (const Tokens& window : tiny_windows()) {
      const Text text{.tokens = window};
      const Example example = objective.transform(text, Rng(seed)).front();
      double all = 0;
      std::vector<double> right(window.size(), 0.0);
      for (const Tokens& could : could_be(window)) {
        double probability = window_probability(chain, could);
        for (std::size_t i = 0; i < window.size(); ++i)
          if (window[i] >= special_count)
            probability *= kRate / 3 + (could[i] == example.inputs[i] ? 1 - kRate : 0);
        all += probability;
        for (std::size_t i = 0; i < window.size(); ++i)
          if (could[i] == window[i]) right[i] += probability;
      }
      double expected = 0;
      for (std::size_t i = 0; i < window.size(); ++i)
        if (window[i] >= special_count) expected -= std::log(right[i] / all);
      const Loss loss = objective.optimum(chain, text, example);
      EXPECT_NEAR(loss.total, expected, 1e-10);
    }
  }
}

TEST(ReplacedTokenPrediction, WithoutContextATokenIsMostLikelyWhatIsShown) {
  const Objective objective = prediction({{"rate", 0.3}, {"predict", "all"}}, 3, 8);
  const std::vector<double> unigram = {0.6, 0.1, 0.1, 0.2};  // of words: .75, .125, .125
  const Tokens tokens = {16, 17, end_token};
  Example example{.inputs = {16, 16, end_token}, .targets = tokens, .weights = {1, 0, 0}};
  const double shown = 0.75 * 0.7 + 0.1;  // P(16 is shown)
  EXPECT_NEAR(objective.context_free(unigram, {.tokens = tokens}, example).total,
              -std::log((0.75 * 0.7 + 0.75 * 0.1) / shown), 1e-12);
  example.weights = {0, 1, 0};
  EXPECT_NEAR(objective.context_free(unigram, {.tokens = tokens}, example).total,
              -std::log(0.125 * 0.1 / shown), 1e-12);
}

TEST(ReplacedTokenPrediction, WithALearnedGeneratorTrainsItBesideTheBackbone) {
  const Objective objective = prediction({{"generator", "learned"}, {"prediction_weight", 3}});
  ASSERT_EQ(objective.needs.heads.size(), 2u);
  EXPECT_EQ(objective.needs.heads[0].kind, "token");
  EXPECT_EQ(objective.needs.heads[0].coefficient, 3);
  EXPECT_EQ(objective.needs.heads[1].kind, "generator");
  EXPECT_FALSE(objective.optimum);
  EXPECT_FALSE(objective.context_free);
  EXPECT_TRUE(objective.label_optima);
  const Tokens tokens = text_of(400, 10);
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  ASSERT_EQ(example.labels.size(), example.hidden.size());
  for (const Label& label : example.labels) {
    const auto at = static_cast<std::size_t>(label.at);
    EXPECT_EQ(label.head, 1);
    EXPECT_EQ(label.target, tokens[at]);
    EXPECT_EQ(example.inputs[at], mask_token);
  }
  const ObjectiveSpec& spec = spec_of(kName);
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"generator", "learned"}})), OptimumKind::none);
}

/// What is read, then what is scored of each word: the label of detection, or whether it is predicted.
Tokens read_and_scored(const Example& example, bool generator) {
  Tokens outcome = example.inputs;
  std::map<std::int32_t, Token> labels;
  for (const Label& label : example.labels)
    if (!generator)
      labels[label.at] = label.target;
    else if (label.head == 1)
      labels[label.at] = 1;
  for (std::size_t i = 0; i < example.inputs.size(); ++i) {
    if (example.inputs[i] < special_count && example.inputs[i] != mask_token) continue;
    const auto found = labels.find(static_cast<std::int32_t>(i));
    const bool predicted = !generator && !example.weights.empty() && example.weights[i] > 0;
    outcome.push_back(found != labels.end() ? found->second : predicted ? 1 : 0);
  }
  return outcome;
}

TEST(ReplacedTokenPrediction, AndDetectionFollowTheLawsThatTheVectorsGive) {
  const Json vectors = vectors_of("replaced_tokens");
  const auto tokens = vectors.at("text").get<Tokens>();
  const std::tuple<const char*, const char*, Json> objectives[] = {
      {"detection", "replaced_token_detection", Json::object()},
      {"named", kName, Json::object()},
      {"all_named", kName, {{"predict", "all"}}},
      {"masked", "replaced_token_detection", {{"generator", "learned"}}},
      {"masked", kName, {{"generator", "learned"}}}};
  for (const Json& one : vectors.at("laws"))
    for (auto [name, objective, settings] : objectives) {
      SCOPED_TRACE(std::string(name) + " of " + objective + " at " + one.at("rate").dump());
      std::map<Tokens, double> law;
      for (const Json& outcome : one.at(name)) {
        auto drawn = outcome.at("inputs").get<Tokens>();
        for (const Token scored : outcome.at("scored").get<Tokens>()) drawn.push_back(scored);
        law[drawn] = outcome.at("probability");
      }
      const bool generator = settings.contains("generator");
      settings["rate"] = one.at("rate");
      const Objective made = objective_of(objective, settings, vectors.at("ordinary"), 8);
      expect_distribution(law, 20000, [&](std::uint64_t i) {
        return read_and_scored(made.transform({.tokens = tokens}, Rng(i)).front(), generator);
      });
    }
}

TEST(ReplacedTokenPrediction, RefusesSettingsOfAGeneratorThatIsNotLearned) {
  for (const Json& settings : {Json{{"generator_width", 0.5}}, Json{{"prediction_weight", 2}}})
    EXPECT_THROW(prediction(settings), std::invalid_argument) << settings.dump();
}

}  // namespace
}  // namespace ablate::objectives
