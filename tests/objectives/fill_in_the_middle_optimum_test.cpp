// The exact predictor of fill-in-the-middle against an enumeration of all texts, coins and cuts;
// and the predictor without context.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;

Objective middle(const Json& given, Token ordinary = 3) {
  return objective_of("fill_in_the_middle", given, ordinary, 512);
}

Example example_of(const Objective& objective, const Tokens& text, std::uint64_t seed) {
  return objective.transform({.tokens = text}, Rng(seed)).front();
}

TEST(FillInTheMiddlesOptimum, IsExactWithoutMarksAndLowerWithThem) {
  const ObjectiveSpec& spec = spec_of("fill_in_the_middle");
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"rate", 0}})), OptimumKind::exact);
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"rate", 0.5}})), OptimumKind::lower);
}

/// The distribution of all targets that can be made from a document's part with room for `room`
/// tokens after its begin token, if any: enumerated over texts, coins and cuts.
class Enumeration {
 public:
  Enumeration(const Chain& chain, double rate, double spm_rate, bool first_form, bool begins,
              std::size_t room)
      : chain_(chain), rate_(rate), spm_rate_(spm_rate), first_form_(first_form), begins_(begins) {
    add_texts({}, room);
  }

  /// -log P(targets from `first` on | those before).
  double loss(const Tokens& targets, std::size_t first) const {
    double with = 0, before = 0;
    for (const auto& [sequence, probability] : law_) {
      if (sequence == targets) with += probability;
      if (sequence.size() >= first &&
          std::equal(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(first),
                     sequence.begin()))
        before += probability;
    }
    return -std::log(with / before);
  }

 private:
  void add_texts(const Tokens& words, std::size_t room) {
    if (room == 0) return add(words, false);
    add(words, true);
    for (Token word = special_count; word < special_count + chain_.ordinary; ++word) {
      Tokens longer = words;
      longer.push_back(word);
      add_texts(longer, room - 1);
    }
  }

  void add(const Tokens& words, bool ends) {
    Tokens text = words;
    if (begins_) text.insert(text.begin(), begin_token);
    if (ends) text.push_back(end_token);
    const double probability = window_probability(chain_, text);
    if (words.empty()) return put(probability, {}, ends);
    put(probability * (1 - rate_), words, ends);
    const std::size_t places = words.size() + 1;
    for (std::size_t one = 0; one < places; ++one)
      for (std::size_t other = 0; other < places; ++other)
        for (const bool suffix_first : {false, true}) {
          const double form = suffix_first ? spm_rate_ : 1 - spm_rate_;
          put(probability * rate_ * form / static_cast<double>(places * places),
              arranged(words, std::min(one, other), std::max(one, other), suffix_first), ends);
        }
  }

  Tokens arranged(const Tokens& words, std::size_t a, std::size_t b, bool suffix_first) const {
    const Token p = -1, m = -2, s = -3;  // the parts, to be filled in
    std::vector<Token> order = {prefix_token, p, suffix_token, s, middle_token, m};
    if (suffix_first && first_form_) order = {suffix_token, s, prefix_token, p, middle_token, m};
    if (suffix_first && !first_form_) order = {prefix_token, suffix_token, s, middle_token, p, m};
    Tokens result;
    const auto fill = [&](std::size_t from, std::size_t until) {
      for (std::size_t i = from; i < until; ++i) result.push_back(words[i]);
    };
    for (const Token token : order) {
      if (token == p) fill(0, a);
      if (token == m) fill(a, b);
      if (token == s) fill(b, words.size());
      if (token >= 0) result.push_back(token);
    }
    result.push_back(end_middle_token);
    return result;
  }

  void put(double probability, Tokens targets, bool ends) {
    if (begins_) targets.insert(targets.begin(), begin_token);
    if (ends) targets.push_back(end_token);
    law_[targets] += probability;
  }

  const Chain& chain_;
  double rate_, spm_rate_;
  bool first_form_, begins_;
  std::map<Tokens, double> law_;
};

TEST(FillInTheMiddlesOptimum, HasTheOptimumThatEnumerationGives) {
  constexpr std::size_t kRoom = 4;
  for (const bool first_form : {false, true})
    for (const bool begins : {false, true})
      for (const double rate : {0.0, 0.4, 1.0}) {
        const double spm_rate = 0.3;
        const Chain chain = tiny_chain(5 + begins);
        const Enumeration enumeration(chain, rate, spm_rate, first_form, begins, kRoom);
        const Objective objective = middle(
            {{"rate", rate}, {"spm_rate", spm_rate}, {"spm_form", first_form ? "v1" : "v2"}}, 3);
        for (const Tokens& words : {Tokens{16, 18, 17, 17},
                                    {17, 16, 18, end_token},
                                    {18, end_token},
                                    {16, end_token},
                                    {end_token}}) {
          Tokens text = words;
          if (begins) text.insert(text.begin(), begin_token);
          if (begins && words.size() == 1) continue;  // no document of the chain is empty
          for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Example example = example_of(objective, text, seed);
            for (const bool settled : {false, true}) {
              if (settled) example.weights.front() = 0;
              const std::size_t first = settled || begins ? 1 : 0;
              const Loss loss = objective.optimum(chain, {.tokens = text}, example);
              const double scored = static_cast<double>(example.targets.size() - first);
              ASSERT_EQ(loss.weight, scored);
              const double expected = scored > 0 ? enumeration.loss(example.targets, first) : 0;
              ASSERT_NEAR(loss.total, expected, 1e-10) << testing::PrintToString(example.targets);
            }
          }
        }
      }
}

TEST(FillInTheMiddlesOptimum, KnowsTheLawOfCutsBetweenCharacters) {
  // Given the words of a text, the probabilities of its arrangements sum to 1.
  const Tokens text = {16 + 'a', 16 + 0xC3, 16 + 0xA9, 16 + 'b'};
  Chain chain{.ordinary = 256, .states = 2};
  chain.blocks = {{.probability = 1, .mass = 1}};
  chain.start = {1, 0};
  chain.stationary = {.8, .2};
  chain.transition = {.75, .25, 0, 0};
  chain.emission.assign(512, 0.0);
  std::fill_n(chain.emission.begin(), 256, 1.0 / 256);
  for (const char* form : {"v1", "v2"}) {
    const Objective objective = middle({{"split", "character"}, {"spm_form", form}}, 256);
    std::map<Tokens, double> distribution;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      const Example example = example_of(objective, text, seed);
      distribution[example.targets] =
          std::exp(-objective.optimum(chain, {.tokens = text}, example).total);
    }
    double total = 0;
    for (const auto& [targets, probability] : distribution) total += probability;
    const double of_text = .8 * std::pow(.75, 3) * std::pow(256.0, -4);
    EXPECT_NEAR(total / of_text, 1, 1e-10) << form;
  }
}

TEST(FillInTheMiddlesOptimum, KnowsTheShareOfEveryTargetWithoutContext) {
  const Tokens text = {16, 17, 18, end_token};
  const std::vector<double> unigram = {.4, .3, .1, .2};
  const Objective objective = middle({{"rate", 0.75}}, 3);
  // 4 tokens and .75 of each of the 4 marks make 7 targets per text.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Example example = example_of(objective, text, seed);
    double expected =
        -std::log(4 * .4 / 7) - std::log(4 * .3 / 7) - std::log(4 * .1 / 7) - std::log(4 * .2 / 7);
    if (example.targets.size() > text.size()) expected -= 4 * std::log(.75 / 7);
    const Loss loss = objective.context_free(unigram, {.tokens = text}, example);
    EXPECT_NEAR(loss.total, expected, 1e-12);
    EXPECT_EQ(loss.weight, static_cast<double>(example.targets.size()));
  }
}

}  // namespace
}  // namespace ablate::objectives
