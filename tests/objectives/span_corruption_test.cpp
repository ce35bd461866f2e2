#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "harness/contract/realised.h"
#include "objectives/common/spans/span_lengths.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/spans.h"

namespace ablate::objectives {
namespace {

constexpr Token b = begin_token, e = end_token;

Objective corruption(const Json& given, std::int64_t text_length, Token ordinary = 100) {
  return objective_of("span_corruption", given, ordinary, text_length);
}

/// A document's part of `words` different words.
std::vector<Token> part(std::int64_t words, bool begins, bool ends) {
  std::vector<Token> tokens(begins ? 1 : 0, b);
  for (std::int64_t i = 0; i < words; ++i) tokens.push_back(special_count + static_cast<Token>(i));
  if (ends) tokens.push_back(e);
  return tokens;
}

/// Checks properties of every example of a part: T5's format, no token lost, no special token
/// hidden.
void check(const Objective& objective, const std::vector<Token>& tokens, const Example& example) {
  constexpr Token kFirstSentinel = special_count + 100;
  ASSERT_EQ(spliced(example, kFirstSentinel), tokens);
  ASSERT_EQ(example.inputs.back(), e);
  ASSERT_EQ(example.targets.back(), e);
  ASSERT_EQ(example.weights, std::vector<float>(example.targets.size(), 1.0f));
  std::vector<Token> sentinels, words;
  for (const Token token : example.targets)
    (token >= kFirstSentinel ? sentinels : words).push_back(token);
  words.pop_back();
  for (std::size_t i = 1; i < sentinels.size(); ++i)
    ASSERT_EQ(sentinels[i], sentinels[0] - static_cast<Token>(i));
  ASSERT_LE(std::ssize(sentinels), objective.needs.sentinels);
  if (!sentinels.empty()) {
    ASSERT_EQ(example.targets.front(), sentinels.front());
  }
  ASSERT_EQ(words.size(), example.hidden.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Token hidden = tokens[static_cast<std::size_t>(example.hidden[i].position)];
    ASSERT_EQ(hidden, words[i]);
    ASSERT_GE(hidden, special_count);
  }
  const Lengths maximum = objective.lengths(std::ssize(tokens));
  ASSERT_LE(std::ssize(example.inputs), maximum.inputs);
  ASSERT_LE(std::ssize(example.targets), maximum.targets);
  ASSERT_LE(std::ssize(example.inputs) + std::ssize(example.targets), maximum.both);
}

TEST(SpanCorruption, GivesTheTextBackFromInputsAndTargets) {
  Rng rng(1);
  for (int setting = 0; setting < 500; ++setting) {
    const std::int64_t length = 2 + rng.below(60);
    const Json given = {{"noise_density", setting % 10 == 0 ? 0.01 : 0.01 + .49 * rng.uniform()},
                        {"mean_span_length", 1.5 + 6 * rng.uniform()},
                        {"law", setting % 4 == 1   ? "poisson"
                                : setting % 4 == 2 ? "geometric"
                                                   : "composition"},
                        {"roll", rng.probability(.5)}};
    const Objective objective = corruption(given, length);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const bool begins = i & 1, ends = i & 2;
      const auto words = std::max<std::int64_t>(0, rng.below(length + 1) - begins - ends);
      const auto tokens = part(words, begins, ends);
      if (tokens.empty()) continue;
      const auto examples = objective.transform({.tokens = tokens}, rng.fork(i));
      ASSERT_EQ(examples.size(), 1u);
      check(objective, tokens, examples[0]);
      ASSERT_FALSE(HasFatalFailure()) << given;
    }
  }
}

TEST(SpanCorruption, HidesAllButOneTokenAtMost) {
  const Objective objective = corruption({{"noise_density", .99}, {"mean_span_length", 512.0}}, 64);
  for (std::int64_t words = 2; words <= 64; ++words) {
    const auto tokens = part(words, false, false);
    const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
    check(objective, tokens, example);
    EXPECT_EQ(std::ssize(example.hidden), words == 2 ? 1 : words - 1) << words;
  }
}

TEST(SpanCorruption, FillsItsBoundsAndReservesItsSentinels) {
  // 64 tokens: round(9.6) = 10 hidden in round(10 / 3) = 3 spans.
  const Objective objective = corruption(Json::object(), 64);
  EXPECT_EQ(objective.needs.sentinels, 3);
  const auto tokens = part(64, false, false);
  const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
  EXPECT_EQ(example.inputs.size(), 54u + 3 + 1);
  EXPECT_EQ(example.targets.size(), 10u + 3 + 1);
  EXPECT_EQ(objective.lengths(64).both, 72);
  EXPECT_EQ(objective.lengths(64).targets, 14);
  EXPECT_EQ(objective.lengths(64).inputs, 59);  // 62 words between a begin and an end token
  EXPECT_EQ(corruption({{"roll", true}}, 64).needs.sentinels, 4);
}

TEST(SpanCorruption, HasNothingToPredictButTheEndOfTextsOfOneWordAndNone) {
  const Objective objective = corruption(Json::object(), 64);
  for (const std::vector<Token>& tokens :
       {std::vector<Token>{16}, {b}, {e}, {b, 16}, {16, e}, {b, e}, {b, 16, e}}) {
    const auto examples = objective.transform({.tokens = tokens}, Rng(1));
    ASSERT_EQ(examples.size(), 1u);
    check(objective, tokens, examples[0]);
    EXPECT_EQ(examples[0].targets, std::vector<Token>{e});
    EXPECT_EQ(objective.optimum(tiny_chain(1), {.tokens = tokens}, examples[0]).total, 0);
  }
}

TEST(SpanCorruption, GivesAnExampleForEachDocumentOfAWindow) {
  const Objective objective = corruption({{"noise_density", .5}}, 64);
  const std::vector<Token> window = {16, 17, 18, 19, e, b, 20, 21, 22, 23, e};
  const auto examples = objective.transform({.tokens = window}, Rng(1));
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(spliced(examples[0], 116), (std::vector<Token>{16, 17, 18, 19, e}));
  EXPECT_EQ(spliced(examples[1], 116), (std::vector<Token>{b, 20, 21, 22, 23, e}));
  EXPECT_GE(examples[1].hidden.front().position, 6);  // in the window
}

TEST(SpanCorruption, StartsARolledTextThatIsHiddenAtFirstWithItsOwnSentinel) {
  const Objective objective = corruption({{"roll", true}}, 64);
  const auto tokens = part(64, false, false);
  int at_first = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    check(objective, tokens, example);
    at_first += example.inputs[0] == example.targets[0];
  }
  EXPECT_NEAR(at_first, 200 * 10 / 64.0, 5 * std::sqrt(200 * .156 * .844));  // 5 sigma
}

TEST(SpanCorruption, RealisesWhatItIntends) {
  const Objective objective = corruption(Json::object(), 64);
  Realised realised;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto tokens = part(64 - static_cast<std::int64_t>(i % 20), true, true);
    const Text text{.tokens = tokens};
    realised.add(text, objective.transform(text, Rng(i)).front());
  }
  ASSERT_EQ(objective.intended.size(), 2u);
  for (const Intended& one : objective.intended)
    EXPECT_NEAR(realised.json()[std::string(one.name)], one.value, one.tolerance) << one.name;
}

TEST(SpanCorruption, RefusesWhatATextCannotHold) {
  const auto refusal = [](const Json& given) -> std::string {
    try {
      corruption(given, 64);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({{"noise_density", 1.5}}),
            "noise_density = 1.5 is outside [0.01, 0.99] (fraction of the tokens hidden; special "
            "ones never are)");
  EXPECT_EQ(refusal({{"noise_density", .9}, {"mean_span_length", 1}}),
            "span_corruption: noise_density = 0.9 and mean_span_length = 1 ask for 58 spans in a "
            "text of 64 tokens, but only 6 tokens are kept and each span needs one before it; hide "
            "less, or longer spans");
  EXPECT_EQ(refusal({{"law", "geometric"}, {"mean_span_length", 20}}),
            "span_corruption: mean_span_length = 20 is more than longest_span = 10; shorten the "
            "mean, or allow longer spans");
  EXPECT_EQ(refusal({{"law", "geometric"}, {"noise_density", .95}, {"mean_span_length", 10}}),
            "span_corruption: noise_density = 0.95 and mean_span_length = 10 ask for 6 spans in a "
            "text of 64 tokens, but only 3 tokens are kept and each span needs one before it; hide "
            "less, or longer spans");
}

TEST(SpanCorruption, SaysThatSentinelsRunOut) {
  const ObjectiveSpec& spec = spec_of("span_corruption");
  const Objective objective = spec.build(Params(spec.params, {{"noise_density", .5}}),
                                         {{.ordinary = 100, .sentinels = 4}, 64});
  EXPECT_EQ(objective.needs.sentinels, 11);
  const auto tokens = part(64, false, false);
  EXPECT_THAT([&] { objective.transform({.tokens = tokens}, Rng(1)); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("sentinel 4 does not exist: the vocabulary reserves 4")));
}

/// Every mask of `own` tokens with the given counts, first kept and last hidden, with its weight.
using Mask = std::vector<bool>;
void each_mask(std::size_t own, Noise noise, const std::function<double(std::int64_t)>& weight,
               const std::function<void(const Mask&, double)>& visit) {
  for (std::size_t bits = 0; bits < std::size_t{1} << own; ++bits) {
    Mask mask;
    double product = 1;
    std::int64_t hidden = 0, spans = 0, run = 0;
    for (std::size_t i = 0; i < own; ++i) {
      mask.push_back(bits >> i & 1);
      hidden += mask[i];
      run = mask[i] ? run + 1 : 0;
      if (mask[i] && (i + 1 == own || !(bits >> (i + 1) & 1))) ++spans, product *= weight(run);
    }
    if (hidden == noise.tokens && spans == noise.spans && !mask.front() && mask.back())
      visit(mask, product);
  }
}

struct Sides {
  std::vector<Token> inputs, targets;
  bool operator==(const Sides&) const = default;
};

/// Inputs and targets by the definition, token by token.
Sides sides(const std::vector<Token>& tokens, const Mask& mask, const Vocabulary& vocabulary) {
  Sides result;
  std::size_t own = 0;
  std::int64_t spans = 0;
  bool last = false;
  for (const Token token : tokens) {
    const bool hidden = token >= special_count && mask[own++];
    if (hidden && !last) {
      result.inputs.push_back(vocabulary.sentinel(spans));
      result.targets.push_back(vocabulary.sentinel(spans++));
    }
    (hidden ? result.targets : result.inputs).push_back(token);
    last = hidden;
  }
  result.inputs.push_back(e);
  result.targets.push_back(e);
  return result;
}

TEST(SpanCorruption, HasTheOptimumThatEnumerationGives) {
  struct Case {
    Json given;
    std::function<double(std::int64_t)> weight;
  };
  const Json half = {{"noise_density", .5}, {"mean_span_length", 1.5}};
  Json poisson = half, geometric = half;
  poisson["law"] = "poisson";
  geometric.update({{"law", "geometric"}, {"longest_span", 2}});
  const auto flat = [](std::int64_t) { return 1.0; };
  const std::vector<Case> cases = {
      {half, flat},
      {{{"noise_density", .6}, {"mean_span_length", 2}}, flat},
      {{{"noise_density", .3}, {"mean_span_length", 3}}, flat},
      {poisson, [](std::int64_t k) { return 1 / std::tgamma(static_cast<double>(k) + 1); }},
      {geometric, [](std::int64_t k) { return k == 1   ? 2 / 3.0
                                              : k == 2 ? 1 / 3.0
                                                       : 0; }}};
  const std::vector<std::vector<Token>> texts = {{16, 17, 18, 16, 16, 17},
                                                 {b, 18, 17, 16, 16, 18},
                                                 {b, 16, 16, 17, 16, e},
                                                 {17, 18, 16, 18, e},
                                                 {18, 17},
                                                 {b, 16, 17, e}};
  const Vocabulary vocabulary{.ordinary = 3, .sentinels = 8};
  const Chain chain = tiny_chain(3);
  for (const Case& one : cases)
    for (const std::vector<Token>& tokens : texts) {
      const Objective objective = corruption(one.given, 8, 3);
      const Text text{.tokens = tokens};
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Example example = objective.transform(text, Rng(seed)).front();
        const auto own = static_cast<std::size_t>(std::count_if(
            tokens.begin(), tokens.end(), [](Token token) { return token >= special_count; }));
        const Noise noise{std::ssize(example.hidden),
                          std::count_if(example.targets.begin(), example.targets.end(),
                                        [](Token token) { return token >= special_count + 3; })};
        double read = 0, joint = 0;
        for (const std::vector<Token>& other : fillings(chain, tokens))
          each_mask(own, noise, one.weight, [&](const Mask& mask, double weight) {
            const Sides made = sides(other, mask, vocabulary);
            if (made.inputs != example.inputs) return;
            const double probability = weight * window_probability(chain, other);
            read += probability;
            if (made.targets == example.targets) joint += probability;
          });
        const Loss loss = objective.optimum(chain, text, example);
        EXPECT_NEAR(loss.total, std::log(read / joint), 1e-10) << one.given;
        EXPECT_EQ(loss.weight, static_cast<double>(example.targets.size()));
      }
    }
}

TEST(SpanCorruption, IsToldTheLengthsOfSpansWhereTheyAreRolled) {
  const Objective objective =
      corruption({{"noise_density", .5}, {"mean_span_length", 1.5}, {"roll", true}}, 8, 3);
  const Chain chain = tiny_chain(5);
  const std::vector<Token> tokens = {b, 18, 17, 16, 16, 18, e};
  const Text text{.tokens = tokens};
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Example example = objective.transform(text, Rng(seed)).front();
    double read = 0;
    for (const std::vector<Token>& other : fillings(chain, tokens)) {
      bool same = true;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool hidden = std::any_of(
            example.hidden.begin(), example.hidden.end(),
            [&](const Hidden& one) { return one.position == static_cast<std::int32_t>(i); });
        same = same && (hidden || other[i] == tokens[i]);
      }
      if (same) read += window_probability(chain, other);
    }
    EXPECT_NEAR(objective.optimum(chain, text, example).total,
                std::log(read / window_probability(chain, tokens)), 1e-10);
  }
}

TEST(SpanCorruption, ScoresADocumentOfAWindowAsIfItStoodAlone) {
  const Objective objective = corruption({{"noise_density", .5}}, 16, 3);
  const Chain chain = tiny_chain(6);
  const std::vector<Token> first = {16, 17, 18, 16, e}, second = {b, 18, 18, 17, 16, 16, e};
  std::vector<Token> window = first;
  window.insert(window.end(), second.begin(), second.end());
  const auto examples = objective.transform({.tokens = window}, Rng(3));
  ASSERT_EQ(examples.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    Example alone = examples[i];
    if (i == 1)
      for (Hidden& hidden : alone.hidden)
        hidden.position -= static_cast<std::int32_t>(first.size());
    EXPECT_EQ(objective.optimum(chain, {.tokens = window}, examples[i]).total,
              objective.optimum(chain, {.tokens = i == 0 ? first : second}, alone).total);
  }
}

TEST(SpanCorruption, KnowsNoTextSoLongThatItsProbabilityVanishes) {
  const Objective objective = corruption({{"noise_density", .5}, {"mean_span_length", 8}}, 2000, 3);
  std::vector<Token> tokens(2000);
  Rng rng(1);
  for (Token& token : tokens) token = special_count + static_cast<Token>(rng.below(3));
  const Text text{.tokens = tokens};
  const double total =
      objective.optimum(tiny_chain(7), text, objective.transform(text, Rng(1)).front()).total;
  EXPECT_GT(total, 500);
  EXPECT_TRUE(std::isfinite(total));
}

TEST(SpanCorruption, SharesTheFloorAmongWordsAndMarksByTheirCounts) {
  const Objective objective = corruption({{"noise_density", .5}, {"mean_span_length", 2}}, 8, 2);
  const std::vector<Token> tokens = {16, 17, 17, 16, 16, 17, 17, 16};  // 4 hidden in 2 spans
  const Text text{.tokens = tokens};
  const Example example = objective.transform(text, Rng(1)).front();
  const double words = std::log(4 / 7.0 / .9);
  double expected = 3 * std::log(7.0);  // two sentinels and the end token: one target of 7 each
  for (const Hidden& hidden : example.hidden)
    expected -= words + std::log(tokens[static_cast<std::size_t>(hidden.position)] == 16 ? .6 : .3);
  const Loss loss = objective.context_free(std::vector<double>{.6, .3, .1}, text, example);
  EXPECT_NEAR(loss.total, expected, 1e-12);
  EXPECT_EQ(loss.weight, 7);
}

}  // namespace
}  // namespace ablate::objectives
