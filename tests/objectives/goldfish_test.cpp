// The goldfish loss: which targets are left out, and what that does to what is learned.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/data/language/language.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

Objective goldfish(Json settings, std::int64_t length = 64) {
  if (!settings.contains("goldfish")) settings["goldfish"] = 3;
  return objective_of("causal_lm", settings, 3, length);
}

/// Which targets of the text are scored.
std::vector<bool> kept(const Objective& objective, const std::vector<Token>& tokens) {
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_EQ(example.targets, tokens) << "what is left out is read all the same";
  std::vector<bool> scored;
  for (const float weight : example.weights) scored.push_back(weight > 0);
  return scored;
}

std::vector<Token> random_words(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Token> words(count);
  for (Token& word : words) word = special_count + static_cast<Token>(rng.below(3));
  return words;
}

TEST(Goldfish, LeavesOutOneOfSoManyTargetsAndStatesIt) {
  const std::vector<Token> tokens = random_words(30000, 1);
  for (const int one_in : {2, 4, 10}) {
    const Example example =
        goldfish({{"goldfish", one_in}}, 30000).transform({.tokens = tokens}, Rng(1)).front();
    double dropped = 0;
    for (const float weight : example.weights) dropped += weight > 0 ? 0 : 1;
    EXPECT_NEAR(dropped / 30000, 1.0 / one_in, 0.015);
    ASSERT_EQ(example.facts.size(), 1u);
    EXPECT_EQ(example.facts[0].name, "dropped");
    EXPECT_EQ(example.facts[0].value, dropped / 30000) << "of the scored targets";
  }
}

TEST(Goldfish, GivesAPassageTheSameFateWhereverItStands) {
  const Objective objective = goldfish({{"goldfish_context", 4}});
  const std::vector<Token> passage = random_words(20, 2);
  for (std::uint64_t seed = 3; seed < 9; ++seed) {
    std::vector<Token> elsewhere = random_words(seed, seed);
    elsewhere.push_back(end_token);
    elsewhere.push_back(begin_token);
    const std::size_t first = elsewhere.size();
    elsewhere.insert(elsewhere.end(), passage.begin(), passage.end());
    const std::vector<bool> here = kept(objective, passage), there = kept(objective, elsewhere);
    for (std::size_t i = 4; i < passage.size(); ++i) EXPECT_EQ(here[i], there[first + i]) << i;
  }
}

TEST(Goldfish, KeepsWhatHasTooFewTokensOfItsDocumentBeforeIt) {
  const Objective objective = goldfish({{"goldfish", 2}, {"goldfish_context", 5}});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Token> tokens = random_words(12, seed);
    tokens[6] = begin_token;  // five tokens follow, none of which has five before it
    const std::vector<bool> scored = kept(objective, tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (i < 5 || i > 6) {
        EXPECT_TRUE(scored[i]) << i;
      }
  }
}

// Of a product of ids, order does not count, and a token with the id 0 decides for all.
TEST(Goldfish, HashesTokensInTheirOrder) {
  const Objective objective = goldfish({{"goldfish", 2}, {"goldfish_context", 3}});
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<Token> tokens = random_words(4, seed), swapped = tokens;
    if (tokens[0] == tokens[2]) continue;
    std::swap(swapped[0], swapped[2]);
    changed += kept(objective, tokens)[3] != kept(objective, swapped)[3] ? 1 : 0;
  }
  EXPECT_GT(changed, 10);
}

/// What is known of the last of four tokens, given those before it and that it is kept.
struct KeptLaw {
  double loss = 0;     // of the predictor that knows the language, nats per kept token
  double sharper = 0;  // of the one that also knows which are kept
};

KeptLaw kept_law(const Objective& objective, const Chain& chain) {
  std::map<std::vector<Token>, std::map<Token, double>> all, scored;
  for (const std::vector<Token>& window : fillings(chain, {16, 16, 16, 16})) {
    const std::vector<Token> before(window.begin(), window.end() - 1);
    const double probability = window_probability(chain, window);
    all[before][window.back()] += probability;
    if (kept(objective, window).back()) scored[before][window.back()] += probability;
  }
  KeptLaw law;
  double mass = 0;
  for (const auto& [before, targets] : scored) {
    double of_past = 0, of_kept = 0;
    for (const auto& [target, probability] : all[before]) of_past += probability;
    for (const auto& [target, probability] : targets) of_kept += probability;
    for (const auto& [target, probability] : targets) {
      law.loss -= probability * std::log(all[before][target] / of_past);
      law.sharper -= probability * std::log(probability / of_kept);
      mass += probability;
    }
  }
  law.loss /= mass;
  law.sharper /= mass;
  return law;
}

TEST(Goldfish, LeavesWhatIsKeptTheDistributionOfTheLanguage) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const KeptLaw law =
        kept_law(goldfish({{"goldfish", 2}, {"goldfish_context", 3}}), tiny_chain(seed));
    EXPECT_NEAR(law.loss, law.sharper, 1e-12);
  }
}

// The trap: with the target in the hash, what is kept says what it is, and a model may go below the optimum.
TEST(Goldfish, TellsWhatIsKeptByTheHashOfTheSourcesCode) {
  const Json as_in_source = {
      {"goldfish", 2}, {"goldfish_context", 4}, {"goldfish_hash", "with_target"}};
  const KeptLaw law = kept_law(goldfish(as_in_source), tiny_chain(1));
  EXPECT_LT(law.sharper, law.loss - 0.2);
  const ObjectiveSpec& spec = spec_of("causal_lm");
  const Params params(spec.params, as_in_source);
  EXPECT_EQ(spec.optimum_kind(params), OptimumKind::none);
  EXPECT_FALSE(goldfish(as_in_source).optimum);
  EXPECT_EQ(spec.optimum_kind(held_out_params(spec, params)), OptimumKind::exact)
      << "held-out text is scored at every token";
}

TEST(Goldfish, RefusesToHashMoreThanTextsHave) {
  EXPECT_THROW(goldfish({{"goldfish_context", 64}}), std::invalid_argument);
  EXPECT_NO_THROW(goldfish({{"goldfish_context", 63}}));
}

TEST(Goldfish, IsNothingWhereItIsNotAskedFor) {
  EXPECT_THROW(objective_of("causal_lm", {{"goldfish_context", 4}}, 3, 8), std::invalid_argument);
  EXPECT_THROW(objective_of("causal_lm", {{"goldfish_hash", "with_target"}}, 3, 8),
               std::invalid_argument);
}

}  // namespace
}  // namespace ablate::objectives
