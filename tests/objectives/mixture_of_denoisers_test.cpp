#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "harness/contract/realised.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/spans.h"

namespace ablate::objectives {
namespace {

constexpr Token b = begin_token, e = end_token;

Objective mixture(const Json& given, std::int64_t length = 64, Token ordinary = 100) {
  return objective_of("mixture_of_denoisers", given, ordinary, length);
}

Json member(const char* kind, double density, double mean, double share, const char* mode) {
  return {{"kind", kind},
          {"noise_density", density},
          {"mean_span_length", mean},
          {"share", share},
          {"mode", mode}};
}

bool is_mode(Token token) { return token >= mode_r_token && token <= mode_x_token; }

/// The text that an example was made from.
std::vector<Token> restored(Example example, Token first_sentinel) {
  if (is_mode(example.inputs.front())) example.inputs.erase(example.inputs.begin());
  if (example.inputs.back() == e && !example.targets.empty())
    return spliced(example, first_sentinel);
  std::vector<Token> text = example.inputs;
  text.insert(text.end(), example.targets.begin(), example.targets.end());
  return text;
}

double fact(const Example& example, std::string_view name) {
  for (const Fact& one : example.facts)
    if (one.name == name) return one.value;
  ADD_FAILURE() << "no fact is named " << name;
  return -1;
}

TEST(MixtureOfDenoisers, IsAskedInTheModeThatItIsToldTo) {
  const std::vector<Token> left = {b, 20, 21, 22}, target = {23, 24}, right = {25, e};
  for (const auto& [mode, token] :
       {std::pair{"r", mode_r_token}, std::pair{"s", mode_s_token}, std::pair{"x", mode_x_token}}) {
    const Objective objective = mixture({{"asked_as", mode}});
    for (const std::span<const Token> shown : {std::span(right), std::span<const Token>()}) {
      const Example asked = objective.cloze({left, target, shown}).front();
      EXPECT_EQ(asked.inputs.front(), token) << mode;
      const bool sees_right =
          std::find(asked.inputs.begin(), asked.inputs.end(), 25) != asked.inputs.end();
      EXPECT_EQ(sees_right, !shown.empty() && token != mode_s_token) << mode;
    }
  }
  EXPECT_THROW(mixture({{"asked_as", "x"}, {"members", {member("span", .15, 3, 1, "r")}}}),
               std::invalid_argument);
}

TEST(MixtureOfDenoisers, TrainsAlikeInWhateverModeItIsAsked) {
  const std::vector<Token> tokens(40, 20);
  const Objective one = mixture(Json::object()), other = mixture({{"asked_as", "x"}});
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(one.transform({.tokens = tokens}, Rng(seed)).front().inputs,
              other.transform({.tokens = tokens}, Rng(seed)).front().inputs);
}

TEST(MixtureOfDenoisers, GivesTheTextBackWhateverMemberItDraws) {
  for (const bool tokens_on : {true, false}) {
    const Objective objective = mixture({{"mode_tokens", tokens_on}});
    for (std::size_t length = 1; length <= 64; ++length)
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::vector<Token> tokens(length, 20);
        if (seed & 1) tokens.front() = b;
        if (seed & 2 && length > 1) tokens.back() = e;
        const auto examples = objective.transform({.tokens = tokens}, Rng(seed));
        ASSERT_EQ(examples.size(), 1u);
        ASSERT_EQ(restored(examples[0], 116), tokens);
        ASSERT_EQ(is_mode(examples[0].inputs.front()), tokens_on);
        for (const Token target : examples[0].targets) ASSERT_FALSE(is_mode(target));
        const Lengths maximum = objective.lengths(static_cast<std::int64_t>(length));
        ASSERT_LE(std::ssize(examples[0].inputs), maximum.inputs);
        ASSERT_LE(std::ssize(examples[0].targets), maximum.targets);
        ASSERT_LE(std::ssize(examples[0].inputs) + std::ssize(examples[0].targets), maximum.both);
      }
  }
}

TEST(MixtureOfDenoisers, DrawsTheSevenOfThePaperAlike) {
  const Objective objective = mixture(Json::object(), 512);
  std::vector<Token> tokens(512);
  for (std::size_t i = 0; i < 512; ++i) tokens[i] = special_count + static_cast<Token>(i % 100);
  // What a member hides of 512 tokens: {mode, hidden, spans}.
  std::map<std::array<std::int64_t, 3>, double> drawn;
  constexpr int kTexts = 7000;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    const auto sentinels = std::count_if(example.targets.begin(), example.targets.end(),
                                         [](Token token) { return token >= 116; });
    ++drawn[{example.inputs.front(), std::ssize(example.hidden), sentinels}];
  }
  const std::array<std::int64_t, 3> expected[] = {{mode_r_token, 77, 26},  {mode_r_token, 77, 10},
                                                  {mode_x_token, 256, 85}, {mode_x_token, 256, 32},
                                                  {mode_x_token, 77, 1},   {mode_x_token, 256, 4},
                                                  {mode_s_token, 0, 0}};
  EXPECT_EQ(drawn.size(), 7u);
  for (const auto& one : expected)
    EXPECT_NEAR(drawn[one], 1000, 5 * std::sqrt(kTexts * 6 / 49.0)) << one[0] << " " << one[2];
  EXPECT_EQ(objective.needs.sentinels, 85);
}

TEST(MixtureOfDenoisers, SaysWhichModeItDrewAndRealisesWhatItIntends) {
  const Objective objective =
      mixture({{"members",
                {member("span", .15, 3, 3, "r"), member("span", .5, 3, 1, "x"),
                 member("prefix", .5, 3, 4, "s"), member("span", .5, 3, 0, "none")}}});
  const std::vector<Token> tokens(64, 20);
  const Text text{.tokens = tokens};
  Realised realised;
  std::map<std::string, double> facts;
  constexpr int kTexts = 4000;
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    const Example example = objective.transform(text, Rng(i)).front();
    realised.add(text, example);
    for (const Fact& one : example.facts) facts[std::string(one.name)] += one.value / kTexts;
    const Token mode = example.inputs.front();
    EXPECT_EQ(fact(example, "mode_r"), mode == mode_r_token);
    EXPECT_EQ(fact(example, "mode_s"), mode == mode_s_token);
    EXPECT_EQ(fact(example, "mode_x"), mode == mode_x_token);
  }
  const std::map<std::string, double> probabilities = {
      {"mode_r", .375}, {"mode_x", .125}, {"mode_s", .5}, {"mode_none", 0}};
  EXPECT_EQ(objective.intended.size(), 6u);
  for (const Intended& one : objective.intended) {
    const std::string name(one.name);
    if (!probabilities.contains(name)) {
      EXPECT_NEAR(realised.json()[name], one.value, one.tolerance) << name;
      continue;
    }
    EXPECT_EQ(one.value, probabilities.at(name)) << name;
    EXPECT_NEAR(facts[name], one.value, 5 * std::sqrt(.25 / kTexts)) << name;  // 5 sigma
  }
}

TEST(MixtureOfDenoisers, GivesAnExampleForEachDocumentOfAWindow) {
  const Objective objective = mixture(Json::object());
  const std::vector<Token> window = {16, 17, 18, 19, e, b, 20, 21, 22, 23, e};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto examples = objective.transform({.tokens = window}, Rng(seed));
    ASSERT_EQ(examples.size(), 2u);
    EXPECT_EQ(restored(examples[0], 116), (std::vector<Token>{16, 17, 18, 19, e}));
    EXPECT_EQ(restored(examples[1], 116), (std::vector<Token>{b, 20, 21, 22, 23, e}));
  }
}

TEST(MixtureOfDenoisers, RefusesMembersThatCannotBe) {
  const auto refusal = [](const Json& members) -> std::string {
    try {
      mixture({{"members", members}});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(Json::array()),
            "mixture_of_denoisers: the shares of its 0 members sum to 0; set at least one share "
            "above 0");
  EXPECT_EQ(
      refusal(Json::array({member("prefix", .6, 3, 1, "s")})),
      "mixture_of_denoisers: member 0: noise_density = 0.6 is too high for a prefix denoiser, "
      "which predicts at most half of a text; lower it to .5 or less");
  EXPECT_EQ(refusal({member("span", .2, 3, 1, "r"), member("span", .9, 1, 1, "x")}),
            "mixture_of_denoisers: member 1: noise_density = 0.9 and mean_span_length = 1 ask for "
            "58 spans in a text of 64 tokens, but only 6 tokens are kept and each span needs one "
            "before it; hide less, or longer spans");
}

using Sides = std::pair<std::vector<Token>, std::vector<Token>>;

/// Every example of the tokens with its probability, by the definition.
std::map<Sides, double> every_example(const std::vector<Token>& tokens, const Json& members,
                                      bool mode_tokens, Token top) {
  std::map<Sides, double> all;
  double total = 0;
  for (const Json& one : members) total += one["share"].get<double>();
  const auto own = std::count_if(tokens.begin(), tokens.end(), [](Token t) { return t >= 16; });
  for (const Json& one : members) {
    const double probability = one["share"].get<double>() / total;
    std::vector<Token> lead;
    if (mode_tokens)
      lead = {one["mode"] == "r" ? mode_r_token : one["mode"] == "s" ? mode_s_token : mode_x_token};
    if (one["kind"] == "prefix") {  // density .5: every length equally likely
      const auto size = std::ssize(tokens);
      for (std::ptrdiff_t prefix = 1; prefix < size; ++prefix) {
        Sides sides{lead, {tokens.begin() + prefix, tokens.end()}};
        sides.first.insert(sides.first.end(), tokens.begin(), tokens.begin() + prefix);
        all[sides] += probability / static_cast<double>(size - 1);
      }
      continue;
    }
    const auto hidden = static_cast<std::int64_t>(
        std::nearbyint(static_cast<double>(own) * one["noise_density"].get<double>()));
    const auto spans = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::nearbyint(static_cast<double>(hidden) /
                                                    one["mean_span_length"].get<double>())));
    std::vector<Sides> found;
    for (int bits = 0; bits < 1 << own; ++bits) {
      Sides sides{lead, {}};
      std::int64_t count = 0, runs = 0;
      int at = 0;
      bool last = false;
      const bool first_hidden = bits & 1;
      for (const Token token : tokens) {
        const bool hide = token >= 16 && (bits >> at++ & 1);
        if (hide && !last) {
          sides.first.push_back(top - static_cast<Token>(runs));
          sides.second.push_back(top - static_cast<Token>(runs++));
        }
        (hide ? sides.second : sides.first).push_back(token);
        count += hide;
        last = hide;
      }
      const bool ends_hidden = bits >> (own - 1) & 1;
      if (first_hidden || !ends_hidden || count != hidden || runs != spans) continue;
      sides.first.push_back(e);
      sides.second.push_back(e);
      found.push_back(sides);
    }
    for (const Sides& sides : found) all[sides] += probability / static_cast<double>(found.size());
  }
  return all;
}

TEST(MixtureOfDenoisers, HasTheOptimumThatEnumerationOverAllMembersGives) {
  // The second and the third do the same to short texts.
  const Json members = {member("span", .3, 3, 1, "r"), member("span", .5, 1.5, 2, "x"),
                        member("span", .5, 1.6, 1, "r"), member("prefix", .5, 3, 3, "s")};
  const Chain chain = tiny_chain(4);
  for (const bool mode_tokens : {true, false})
    for (const std::vector<Token>& tokens : {std::vector<Token>{16, 17, 18, 16, 16, 17},
                                             {b, 18, 17, 16, 16, 18},
                                             {b, 17, 16, 18, 16, e}}) {
      const Objective objective =
          mixture({{"members", members}, {"mode_tokens", mode_tokens}}, 8, 3);
      const Text text{.tokens = tokens};
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Example example = objective.transform(text, Rng(seed)).front();
        double read = 0, joint = 0;
        for (const std::vector<Token>& other : fillings(chain, tokens))
          for (const auto& [sides, probability] :
               every_example(other, members, mode_tokens, 16 + 3 + 7)) {
            if (sides.first != example.inputs) continue;
            const double joined = probability * window_probability(chain, other);
            read += joined;
            if (sides.second == example.targets) joint += joined;
          }
        EXPECT_NEAR(objective.optimum(chain, text, example).total, std::log(read / joint), 1e-10)
            << mode_tokens << " " << seed;
      }
    }
}

TEST(MixtureOfDenoisers, TakesTheFloorOfTheMemberThatItDrew) {
  const std::vector<double> unigram = {.6, .3, .1};
  const std::vector<Token> tokens = {16, 17, 17, 16};
  const Text text{.tokens = tokens};
  const Objective cut = mixture({{"members", {member("prefix", .5, 3, 1, "s")}}}, 8, 2);
  const Example prefix = cut.transform(text, Rng(1)).front();
  double expected = 0;
  for (const Token target : prefix.targets) expected -= std::log(target == 16 ? .6 : .3);
  EXPECT_NEAR(cut.context_free(unigram, text, prefix).total, expected, 1e-12);

  const Objective spans = mixture({{"members", {member("span", .5, 3, 1, "x")}}}, 8, 2);
  const Example hidden = spans.transform(text, Rng(1)).front();  // 17 16: one span of two
  EXPECT_NEAR(spans.context_free(unigram, text, hidden).total,
              2 * std::log(4.0) - 2 * std::log(2 / 4.0 / .9) - std::log(.3) - std::log(.6), 1e-12);
}

}  // namespace
}  // namespace ablate::objectives
