#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "harness/contract/realised.h"
#include "objectives/common/spans/blanks.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Objective blanks(const Json& given, Token ordinary = 100, std::int64_t length = 64) {
  return objective_of("blank_infilling", given, ordinary, length);
}

/// A document of so many different words.
std::vector<Token> document(std::size_t words, bool ends = true) {
  std::vector<Token> tokens = {begin_token};
  for (std::size_t i = 0; i < words; ++i) tokens.push_back(special_count + static_cast<Token>(i));
  if (ends) tokens.push_back(end_token);
  return tokens;
}

TEST(FilledBlanks, AreArrangedAsTheVectorsSay) {
  const Json family = vectors_of("blank_infilling");
  ASSERT_GE(family.at("arrangements").size(), 10u);
  for (const Json& one : family["arrangements"]) {
    SCOPED_TRACE(one.dump().substr(0, 160));
    const std::vector<Token> tokens = one.at("tokens");
    std::vector<BlankSpan> spans;
    for (const Json& span : one.at("spans")) spans.push_back({span[0], span[1]});
    std::vector<std::size_t> order(spans.size());
    for (std::size_t i = 0; i < spans.size(); ++i)
      for (const BlankSpan& other : spans) order[i] += other.first < spans[i].first ? 1 : 0;
    std::ranges::sort(spans, {}, &BlankSpan::first);
    const Example example = filled_blanks(tokens, spans, order);
    // Places in the order of the vectors: the text, then what is read; one more follows that nobody reads.
    std::vector<Token> places = example.inputs;
    places.insert(places.end(), example.shown.begin(), example.shown.end());
    std::vector<Token> expected = one.at("inputs");
    const std::size_t text = expected.size();
    for (const Json& token : one.at("read")) expected.push_back(token);
    if (!spans.empty()) {
      ASSERT_EQ(places.size(), expected.size() + 1);
      places.pop_back();
    }
    EXPECT_EQ(places, expected);
    EXPECT_EQ(example.targets, one.at("targets").get<std::vector<Token>>());
    EXPECT_EQ(example.weights, std::vector<float>(example.targets.size(), 1.0f));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(example.positions[i], one.at("positions")[i]) << i;
      EXPECT_EQ(example.inner[i], one.at("inner")[i]) << i;
      EXPECT_EQ(example.sees[i].from, one.at("sees")[i][0]) << i;
      EXPECT_EQ(example.sees[i].until, one.at("sees")[i][1]) << i;
    }
    // Target i is predicted at the last input and what is read after it.
    if (!spans.empty()) {
      EXPECT_EQ(example.inputs.size(), text + 1);
    }
  }
}

TEST(BlankInfilling, GivesTheTextBackFromItsBlanks) {
  for (const double rate : {0.0, 0.5, 1.0})
    for (std::size_t words : {1u, 2u, 7u, 40u, 62u})
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const std::vector<Token> tokens = document(words);
        const Objective objective = blanks({{"document_rate", rate}, {"noise_density", 0.3}});
        const Text text{.tokens = tokens};
        const Example example = objective.transform(text, Rng(seed)).front();
        std::map<std::int32_t, std::vector<Token>> filling;  // by position of the mask
        for (std::size_t i = 0; i < example.targets.size(); ++i) {
          const std::size_t at = example.inputs.size() - 1 + i;  // where it is predicted
          if (example.targets[i] != end_middle_token)
            filling[example.positions[at]].push_back(example.targets[i]);
        }
        std::vector<Token> back;
        const std::size_t shown = example.inputs.size() - (example.targets.empty() ? 0 : 1);
        for (std::size_t i = 0; i < shown; ++i) {
          if (example.inputs[i] != mask_token)
            back.push_back(example.inputs[i]);
          else
            for (const Token token : filling[static_cast<std::int32_t>(i)]) back.push_back(token);
        }
        EXPECT_EQ(back, tokens);
        const Lengths most = objective.lengths(std::ssize(tokens));
        EXPECT_LE(std::ssize(example.inputs), most.inputs);
        EXPECT_LE(std::ssize(example.targets), most.targets);
        EXPECT_LE(std::ssize(example.inputs) + std::ssize(example.targets), most.both);
      }
}

TEST(BlankInfilling, HidesTheTokensOfSpanCorruption) {
  const std::vector<Token> tokens = document(60);
  const Text text{.tokens = tokens};
  const Json given = {{"noise_density", 0.3}, {"law", "poisson"}};
  const Objective ours = blanks(given), theirs = objective_of("span_corruption", given, 100, 64);
  std::set<std::vector<std::int32_t>> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto hidden = [&](const Objective& objective) {
      std::vector<std::int32_t> positions;
      const Example example = objective.transform(text, Rng(seed)).front();
      for (const Hidden& one : example.hidden) positions.push_back(one.position);
      return positions;
    };
    EXPECT_EQ(hidden(ours), hidden(theirs));
    all.insert(hidden(ours));
  }
  EXPECT_GT(all.size(), 15u);
}

TEST(BlankInfilling, PredictsSpansInEveryOrder) {
  const std::vector<Token> tokens = document(30);
  const Objective objective = blanks({{"noise_density", 0.3}});
  std::map<std::vector<std::int32_t>, int> orders;  // of masks, by rank
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Example example = objective.transform({.tokens = tokens}, Rng(seed)).front();
    std::vector<std::int32_t> masks;
    for (std::size_t i = example.inputs.size() - 1; i < example.positions.size(); ++i)
      if (example.inner[i] == 1) masks.push_back(example.positions[i]);
    std::vector<std::int32_t> sorted = masks, ranks;
    std::sort(sorted.begin(), sorted.end());
    for (const std::int32_t mask : masks)
      ranks.push_back(static_cast<std::int32_t>(std::find(sorted.begin(), sorted.end(), mask) -
                                                sorted.begin()));
    ++orders[ranks];
  }
  ASSERT_EQ(orders.size(), 6u) << "three spans of 9 tokens";
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 2000.0 / 6, 90);
}

TEST(BlankInfilling, RealisesWhatItIntends) {
  const std::vector<Token> tokens = document(62);
  for (const double rate : {0.0, 0.4}) {
    const Objective objective = blanks({{"document_rate", rate}});
    Realised realised;
    const Text text{.tokens = tokens};
    for (std::uint64_t i = 0; i < 2000; ++i)
      for (const Example& example : objective.transform(text, Rng(i))) realised.add(text, example);
    EXPECT_EQ(deviation(objective.intended, realised), "") << rate;
  }
}

/// -log P(what is hidden and how long each span is | the text with its blanks), by enumeration of all
/// texts of this length that leave the same text with blanks, given that every set of spans is as
/// likely.
double cost_of_filling(const Chain& chain, const std::vector<Token>& window,
                       const std::vector<BlankSpan>& spans) {
  std::vector<Token> read;
  std::size_t next = 0;
  std::size_t hidden = 0;
  const auto take = [&](std::size_t until) {
    read.insert(read.end(), window.begin() + static_cast<std::ptrdiff_t>(next),
                window.begin() + static_cast<std::ptrdiff_t>(until));
  };
  for (const BlankSpan& span : spans) {
    take(static_cast<std::size_t>(span.first));
    read.push_back(mask_token);
    next = static_cast<std::size_t>(span.end);
    hidden += static_cast<std::size_t>(span.end - span.first);
  }
  take(window.size());
  // Every way to share the hidden tokens out among the blanks, all equally likely (law: composition).
  double total = 0;
  std::vector<std::size_t> lengths(spans.size(), 1);
  const std::function<void(std::size_t, std::size_t)> share = [&](std::size_t span,
                                                                  std::size_t left) {
    if (span + 1 == lengths.size()) {
      lengths[span] = left;
      std::vector<Token> filled;
      std::size_t blank = 0;
      for (const Token token : read) {
        if (token != mask_token)
          filled.push_back(token);
        else
          filled.insert(filled.end(), lengths[blank++], Token{mask_token});
      }
      // The sum over all words at the masks.
      std::vector<std::vector<Token>> texts = {filled};
      for (std::size_t i = 0; i < filled.size(); ++i) {
        if (filled[i] != mask_token) continue;
        std::vector<std::vector<Token>> longer;
        for (const std::vector<Token>& text : texts)
          for (Token word = 0; word < chain.ordinary; ++word) {
            longer.push_back(text);
            longer.back()[i] = special_count + word;
          }
        texts = longer;
      }
      for (const std::vector<Token>& text : texts) total += window_probability(chain, text);
      return;
    }
    for (std::size_t own = 1; own + (lengths.size() - span - 1) <= left; ++own) {
      lengths[span] = own;
      share(span + 1, left - own);
    }
  };
  share(0, hidden);
  return -std::log(window_probability(chain, window) / total);
}

TEST(BlankInfilling, HasTheOptimumThatEnumerationGivesInEveryOrder) {
  const Chain chain = tiny_chain(2);
  const Objective objective =
      blanks({{"law", "composition"}, {"noise_density", .5}, {"mean_span_length", 1.5}}, 3, 8);
  for (const std::vector<Token>& window : {std::vector<Token>{begin_token, 16, 17, 18, 16, 16, 17},
                                           {16, 17, 18, 18, 16, 17, end_token},
                                           {begin_token, 17, 18, 16, 17, end_token}}) {
    const Text text{.tokens = window};
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Example example = objective.transform(text, Rng(seed)).front();
      std::vector<BlankSpan> spans;
      for (const Hidden& one : example.hidden) {
        if (spans.empty() || spans.back().end != one.position)
          spans.push_back({one.position, one.position});
        spans.back().end = one.position + 1;
      }
      EXPECT_NEAR(objective.optimum(chain, text, example).total,
                  cost_of_filling(chain, window, spans), 1e-9);
    }
  }
}

TEST(BlankInfilling, HasTheCostOfARestOfADocument) {
  const Chain chain = tiny_chain(3);
  const Objective objective = blanks({{"document_rate", 1}}, 3, 8);
  const std::vector<Token> window = {begin_token, 16, 17, 18, 16, 16};
  const Text text{.tokens = window};
  const Example example = objective.transform(text, Rng(1)).front();
  const auto kept = static_cast<std::size_t>(example.hidden.front().position);
  double all = 0;  // of texts of this length with the same beginning
  for (const std::vector<Token>& other : fillings(chain, window))
    if (std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(kept),
                   window.begin()))
      all += window_probability(chain, other);
  EXPECT_NEAR(objective.optimum(chain, text, example).total,
              -std::log(window_probability(chain, window) / all), 1e-10);
}

TEST(BlankInfilling, AsksForABlankAndForWhatEndsIt) {
  const std::vector<Token> left = {begin_token, 20, 21}, target = {22, 23},
                           right = {24, mask_token, mask_token, 25, end_token};
  const Objective objective = blanks(Json::object());
  const Example asked = objective.cloze({left, target, right}).front();
  EXPECT_EQ(asked.inputs, (std::vector<Token>{begin_token, 20, 21, mask_token, 24, mask_token, 25,
                                              end_token, middle_token}));
  EXPECT_EQ(asked.targets, (std::vector<Token>{22, 23, end_middle_token}));
  EXPECT_EQ(asked.weights, (std::vector<float>{1, 1, 0}));
  EXPECT_EQ(objective.cloze_stop({left, target, right}).front().weights,
            (std::vector<float>{0, 0, 1}));
}

}  // namespace
}  // namespace ablate::objectives
