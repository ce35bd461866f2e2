#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;

TEST(ReplacedTokenDetection, LabelsEveryTokenByWhetherItWasReplaced) {
  const Tokens tokens = text_of(400, 10);
  const Objective objective = objective_of("replaced_token_detection", {{"rate", 0.3}}, 10, 400);
  double replaced = 0, labels = 0, hidden = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Example example = objective.transform({.tokens = tokens}, Rng(seed)).front();
    EXPECT_TRUE(example.targets.empty());
    ASSERT_EQ(example.inputs.size(), tokens.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] < special_count) {
        EXPECT_EQ(example.inputs[i], tokens[i]);
        continue;
      }
      ASSERT_LT(next, example.labels.size());
      const Label& label = example.labels[next++];
      EXPECT_EQ(label.at, static_cast<std::int32_t>(i));
      EXPECT_EQ(label.target, example.inputs[i] != tokens[i]);
      replaced += label.target;
    }
    EXPECT_EQ(next, example.labels.size());
    labels += static_cast<double>(next);
    hidden += static_cast<double>(example.hidden.size());
  }
  EXPECT_NEAR(hidden / labels, 0.3, 0.015);
  EXPECT_NEAR(replaced / labels, 0.3 * 0.9, 0.015) << "a tenth of the draws is the right token";
}

TEST(ReplacedTokenDetection, AHigherRateReplacesTheSameTokensAndMore) {
  const Tokens tokens = text_of(60);
  const auto at = [&](double rate) {
    return objective_of("replaced_token_detection", {{"rate", rate}}, 100, 60)
        .transform({.tokens = tokens}, Rng(3))
        .front();
  };
  const Example low = at(0.1), high = at(0.5);
  for (const Hidden& one : low.hidden) {
    const auto i = static_cast<std::size_t>(one.position);
    EXPECT_EQ(low.inputs[i], high.inputs[i]);
  }
  EXPECT_GT(high.hidden.size(), low.hidden.size());
}

TEST(ReplacedTokenDetection, HasTheOptimumThatEnumerationGives) {
  constexpr double kRate = 0.4;
  const Objective objective = objective_of("replaced_token_detection", {{"rate", kRate}}, 3, 8);
  const Token words[] = {16, 17, 18};
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    for (const Tokens& window : tiny_windows()) {
      const Text text{.tokens = window};
      const Example example = objective.transform(text, Rng(seed)).front();
      // P(text, shown) of every text that could be shown so, by label at each place.
      std::vector<Tokens> texts = {{}};
      for (const Token token : window) {
        std::vector<Tokens> longer;
        for (const Tokens& begun : texts)
          for (const Token word : words) {
            longer.push_back(begun);
            longer.back().push_back(token < special_count ? token : word);
            if (token < special_count) break;
          }
        texts = std::move(longer);
      }
      std::vector<double> labelled[2] = {std::vector<double>(window.size(), 0.0),
                                         std::vector<double>(window.size(), 0.0)};
      for (const Tokens& could : texts) {
        double probability = window_probability(chain, could);
        for (std::size_t i = 0; i < window.size(); ++i)
          if (window[i] >= special_count)
            probability *= kRate / 3 + (could[i] == example.inputs[i] ? 1 - kRate : 0);
        for (std::size_t i = 0; i < window.size(); ++i)
          labelled[could[i] != example.inputs[i]][i] += probability;
      }
      double expected = 0;
      for (const Label& label : example.labels) {
        const auto i = static_cast<std::size_t>(label.at);
        expected -= std::log(labelled[label.target][i] / (labelled[0][i] + labelled[1][i]));
      }
      const Loss loss = objective.optimum(chain, text, example);
      EXPECT_NEAR(loss.total, expected, 1e-10);
      EXPECT_EQ(loss.weight, static_cast<double>(example.labels.size()));
    }
  }
}

TEST(ReplacedTokenDetection, WithoutContextRareTokensAreSuspect) {
  const Objective objective = objective_of("replaced_token_detection", {{"rate", 0.3}}, 3, 8);
  const Tokens tokens = {16, 17, end_token};
  const std::vector<double> unigram = {0.6, 0.1, 0.1, 0.2};
  Example example{.inputs = tokens};
  const auto cost = [&](std::int32_t at, Token label) {
    example.labels = {{.head = 0, .at = at, .target = label}};
    return objective.context_free(unigram, {.tokens = tokens}, example).total;
  };
  for (const std::int32_t at : {0, 1}) {
    const double own = unigram[static_cast<std::size_t>(at)] / 0.8;
    const double as_it_was = own * 0.8, replaced = (1 - own) * 0.1;
    EXPECT_NEAR(cost(at, 0), -std::log(as_it_was / (as_it_was + replaced)), 1e-12);
    EXPECT_NEAR(cost(at, 1), -std::log(replaced / (as_it_was + replaced)), 1e-12);
  }
  EXPECT_LT(cost(1, 1), cost(0, 1));
}

Json learned(Json more = Json::object()) {
  more["generator"] = "learned";
  return more;
}

TEST(ReplacedTokenDetection, WithALearnedGeneratorMasksWhatTheUniformOneReplaces) {
  const Tokens tokens = text_of(400, 10);
  const Objective uniform = objective_of("replaced_token_detection", Json::object(), 10, 400),
                  objective = objective_of("replaced_token_detection", learned(), 10, 400);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Example example = objective.transform({.tokens = tokens}, Rng(seed)).front(),
                  other = uniform.transform({.tokens = tokens}, Rng(seed)).front();
    ASSERT_EQ(example.hidden.size(), other.hidden.size());
    Tokens shown = tokens;
    std::size_t next = other.labels.size();
    for (const Hidden& hidden : example.hidden) {
      shown[static_cast<std::size_t>(hidden.position)] = mask_token;
      EXPECT_EQ(hidden.how, HiddenAs::mask);
      ASSERT_LT(next, example.labels.size());
      const Label& label = example.labels[next++];
      EXPECT_EQ(label.head, 1);
      EXPECT_EQ(label.at, hidden.position);
      EXPECT_EQ(label.target, tokens[static_cast<std::size_t>(hidden.position)]);
    }
    EXPECT_EQ(next, example.labels.size());
    EXPECT_EQ(example.inputs, shown);
    for (std::size_t i = 0; i < other.labels.size(); ++i) {
      EXPECT_EQ(example.labels[i].at, other.labels[i].at);
      EXPECT_EQ(example.labels[i].target, 0) << "the step makes the labels of masks";
    }
  }
}

TEST(ReplacedTokenDetection, AsksForAGeneratorAsItsSettingsSay) {
  const auto heads = [](const Json& params) {
    return objective_of("replaced_token_detection", params, 10, 64).needs.heads;
  };
  EXPECT_EQ(heads(Json::object()).size(), 1u);
  EXPECT_EQ(heads(Json::object())[0].coefficient, 1);
  ASSERT_EQ(heads(learned()).size(), 2u);
  EXPECT_EQ(heads(learned())[0].coefficient, 50);
  EXPECT_EQ(heads(learned())[1].kind, "generator");
  EXPECT_EQ(heads(learned())[1].params, Json::object());
  EXPECT_EQ(heads(learned({{"detection_weight", 7}}))[0].coefficient, 7);
  EXPECT_EQ(heads(learned({{"generator_width", 0.5}, {"generator_embeddings", "own"}}))[1].params,
            (Json{{"width", 0.5}, {"embeddings", "own"}}));
}

TEST(ReplacedTokenDetection, SettingsThatSayTheDefaultLeaveItsConfigurationAsItWas) {
  const ObjectiveSpec& spec = spec_of("replaced_token_detection");
  const Json plain = Params(spec.params, Json::object()).json();
  EXPECT_EQ(plain, (Json{{"rate", 0.15}}));
  EXPECT_EQ(Params(spec.params, {{"generator", "uniform"}}).json(), plain);
  EXPECT_EQ(Params(spec.params, learned({{"generator_width", 0.25},
                                         {"generator_embeddings", "tied"},
                                         {"detection_weight", 50}}))
                .json(),
            Params(spec.params, learned()).json());
}

TEST(ReplacedTokenDetection, RefusesSettingsOfAGeneratorThatIsNotLearned) {
  EXPECT_THAT(
      [] {
        objective_of("replaced_token_detection", {{"generator_width", 0.5}}, 10, 64);
      },
      testing::ThrowsMessage<std::invalid_argument>(
          testing::HasSubstr("set generator to learned, or leave generator_width out")));
}

TEST(ReplacedTokenDetection, WithALearnedGeneratorHasTheOptimumOfThatAlone) {
  const ObjectiveSpec& spec = spec_of("replaced_token_detection");
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, learned())), OptimumKind::none);
  const Objective objective =
                      objective_of("replaced_token_detection", learned({{"rate", 0.4}}), 3, 8),
                  masked = objective_of(
                      "masked_lm", {{"rate", 0.4}, {"mask_share", 1}, {"random_share", 0}}, 3, 8);
  EXPECT_FALSE(objective.optimum);
  EXPECT_FALSE(objective.context_free);
  const Chain chain = tiny_chain(1);
  for (const Tokens& window : tiny_windows()) {
    const Text text{.tokens = window};
    const Example example = objective.transform(text, Rng(3)).front();
    const Loss loss = objective.label_optima(chain, text, example).at(0);
    EXPECT_EQ(loss.weight, static_cast<double>(example.hidden.size()));
    Example scored{.inputs = example.inputs, .targets = window};
    scored.weights.assign(window.size(), 0);
    for (const Hidden& hidden : example.hidden)
      scored.weights[static_cast<std::size_t>(hidden.position)] = 1;
    EXPECT_EQ(loss.total, masked.optimum(chain, text, scored).total);
  }
}

}  // namespace
}  // namespace ablate::objectives
