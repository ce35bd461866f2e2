#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "harness/data/language/language.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

Objective masked(const Json& given = Json::object(), Token ordinary = 100) {
  return objective_of("masked_lm", given, ordinary, 512);
}

/// 5 standard deviations of a binomial count.
double five_sigma(double draws, double p) { return 5 * std::sqrt(draws * p * (1 - p)); }

TEST(MaskedLm, HidesTheShareAskedForAndShowsItAsAsked) {
  const auto tokens = text_of(512);
  const auto special = std::count_if(tokens.begin(), tokens.end(), [](Token t) { return t < 16; });
  const double each = 512.0 - static_cast<double>(special);
  constexpr int kTexts = 400;
  for (const double rate : {0.001, 0.15, 0.8, 1.0}) {
    const Objective objective = masked({{"rate", rate}});
    std::map<HiddenAs, double> shown;
    double hidden = 0, random_but_right = 0;
    for (std::uint64_t i = 0; i < kTexts; ++i) {
      const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
      for (const Hidden& one : example.hidden) {
        const auto at = static_cast<std::size_t>(one.position);
        ++hidden, ++shown[one.how];
        ASSERT_GE(tokens[at], special_count) << "a special token was hidden";
        ASSERT_EQ(example.weights[at], 1);
        if (one.how == HiddenAs::mask) {
          ASSERT_EQ(example.inputs[at], mask_token);
        }
        if (one.how == HiddenAs::keep) {
          ASSERT_EQ(example.inputs[at], tokens[at]);
        }
        if (one.how == HiddenAs::random) {
          ASSERT_GE(example.inputs[at], special_count);
          ASSERT_LT(example.inputs[at], special_count + 100);
          random_but_right += example.inputs[at] == tokens[at];
        }
      }
    }
    EXPECT_NEAR(hidden, kTexts * each * rate, five_sigma(kTexts * each, rate)) << rate;
    EXPECT_NEAR(shown[HiddenAs::mask], hidden * .8, five_sigma(hidden, .8)) << rate;
    EXPECT_NEAR(shown[HiddenAs::random], hidden * .1, five_sigma(hidden, .1)) << rate;
    EXPECT_NEAR(shown[HiddenAs::keep], hidden * .1, five_sigma(hidden, .1)) << rate;
    EXPECT_NEAR(random_but_right, hidden * .001, five_sigma(hidden, .001) + 1) << rate;
  }
}

TEST(MaskedLm, ScoresWhatItHidAndTouchesNothingElse) {
  const auto tokens = text_of(512);
  const Example example = masked({{"rate", 0.4}}).transform({.tokens = tokens}, Rng(2)).front();
  EXPECT_EQ(example.targets, tokens);
  std::set<std::size_t> hidden;
  for (const Hidden& one : example.hidden) hidden.insert(static_cast<std::size_t>(one.position));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(example.weights[i] > 0, hidden.contains(i)) << i;
    if (!hidden.contains(i)) {
      EXPECT_EQ(example.inputs[i], tokens[i]) << i;
    }
  }
}

TEST(MaskedLm, TakesMarksAtTheirWordAboutWhatIsSpecial) {
  const std::vector<Token> tokens = {unknown_token, 16, 17};
  const std::vector<std::uint8_t> marks = {no_mark, special_mark, word_mark};
  const Example example =
      masked({{"rate", 1}}).transform({.tokens = tokens, .marks = marks}, Rng(1)).front();
  EXPECT_EQ(example.weights, (std::vector<float>{1, 0, 1}));
}

TEST(MaskedLm, HidesMoreOfTheSameAtAHigherRate) {
  const auto tokens = text_of(512);
  const Example few = masked({{"rate", 0.15}}).transform({.tokens = tokens}, Rng(3)).front();
  const Example many = masked({{"rate", 0.5}}).transform({.tokens = tokens}, Rng(3)).front();
  EXPECT_GT(many.hidden.size(), few.hidden.size());
  for (const Hidden& one : few.hidden) {
    const auto at = static_cast<std::size_t>(one.position);
    EXPECT_EQ(many.weights[at], 1) << at;
    EXPECT_EQ(many.inputs[at], few.inputs[at]) << at;
  }
}

TEST(MaskedLm, HidesExactlyTheRatesShareWhereAsked) {
  struct Case {
    std::size_t words;
    double rate;
    std::size_t hidden;
  };
  for (const Case& one : {Case{20, .15, 3},
                          {10, .15, 2},
                          {10, .25, 2},
                          {30, .15, 4},
                          {50, .15, 8},
                          {3, .01, 1},
                          {7, 1, 7},
                          {0, .15, 0}}) {
    std::vector<Token> tokens(one.words, 20);
    tokens.insert(tokens.begin(), begin_token);
    tokens.push_back(end_token);
    const Objective objective = masked({{"rate", one.rate}, {"count", "exact"}});
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
      ASSERT_EQ(example.hidden.size(), one.hidden) << one.words << " words at " << one.rate;
      ASSERT_EQ(example.weights.front() + example.weights.back(), 0);
    }
  }
}

TEST(MaskedLm, DrawsEverySetOfAnExactSizeEquallyOften) {
  const std::vector<Token> tokens = {16, 17, end_token, begin_token, 18, 19, 20};
  const Objective objective = masked({{"rate", 0.4}, {"count", "exact"}});  // 2 of 5: 10 sets
  std::map<std::vector<float>, int> drawn;
  for (std::uint64_t i = 0; i < 10000; ++i)
    ++drawn[objective.transform({.tokens = tokens}, Rng(i)).front().weights];
  EXPECT_EQ(drawn.size(), 10u);
  for (const auto& [set, times] : drawn) EXPECT_NEAR(times, 1000, five_sigma(10000, .1));
}

TEST(MaskedLm, RefusesFractionsThatSumToMoreThanOne) {
  EXPECT_NO_THROW(masked({{"mask_share", 0.9}, {"random_share", 0.1}}));
  try {
    masked({{"mask_share", 0.8}, {"random_share", 0.3}});
    FAIL() << "fractions of .8 and .3 were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "masked_lm: mask_share = 0.8 and random_share = 0.3 sum to more than 1; their sum is at "
        "most 1, and the remaining hidden tokens are kept; lower one");
  }
}

TEST(MaskedLm, StatesHowExactItsOptimumIs) {
  const ObjectiveSpec& spec = spec_of("masked_lm");
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, Json::object())), OptimumKind::exact);
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"count", "exact"}})), OptimumKind::upper);
}

/// P(inputs, scored set, text), by enumerating every way to hide every set of positions.
class Enumeration {
 public:
  Enumeration(const Chain& chain, double rate, double mask, double random)
      : chain_(chain), rate_(rate), mask_(mask), random_(random) {}

  /// -log P(true token at `at` | inputs, `at` is hidden).
  double loss(const std::vector<Token>& window, const std::vector<Token>& inputs,
              std::size_t at) const {
    double total = 0, part = 0;
    for (const std::vector<Token>& text : fillings(chain_, window)) {
      const double joint = window_probability(chain_, text) * corruption(text, inputs, at);
      total += joint;
      if (text[at] == window[at]) part += joint;
    }
    return -std::log(part / total);
  }

 private:
  /// P(inputs, `at` is hidden | text): the sum over all sets of hidden positions.
  double corruption(const std::vector<Token>& text, const std::vector<Token>& inputs,
                    std::size_t at) const {
    double total = 0;
    for (std::size_t set = 0; set < std::size_t{1} << text.size(); ++set) {
      if (!(set >> at & 1)) continue;
      double probability = 1;
      for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hidden = set >> i & 1, same = text[i] == inputs[i];
        if (text[i] < special_count)
          probability *= !hidden && same;
        else if (!hidden)
          probability *= same ? 1 - rate_ : 0;
        else if (inputs[i] == mask_token)
          probability *= rate_ * mask_;
        else
          probability *= rate_ * (random_ / chain_.ordinary + (same ? 1 - mask_ - random_ : 0));
      }
      total += probability;
    }
    return total;
  }

  const Chain& chain_;
  double rate_, mask_, random_;
};

TEST(MaskedLm, HasTheOptimumThatEnumerationGives) {
  struct Case {
    double rate, mask, random;  // when the text is read
    Json other_parameters = Json::object();
  };
  for (const Case& one : {Case{.3, .8, .1},
                          {.6, .5, .5},
                          {.5, 1, 0},
                          {.4, 0, .5},
                          {.6, .6, .2, {{"prediction_rate", .25}}},
                          {.5, .7, .2, {{"rate", .2}, {"final_rate", .8}}}}) {
    Json given = {{"rate", one.rate}, {"mask_share", one.mask}, {"random_share", one.random}};
    given.update(one.other_parameters);
    const Objective objective = masked(given, 3);
    const Chain chain = tiny_chain(static_cast<std::uint64_t>(one.rate * 10));
    const Enumeration enumeration(chain, one.rate, one.mask, one.random);
    for (const std::vector<Token>& window : tiny_windows()) {
      const Text text{.tokens = window, .progress = 0.5};
      const Example example =
          objective.transform(text, Rng(6, Stream::corruption, 0, window.size())).front();
      double expected = 0, weight = 0;
      for (std::size_t at = 0; at < window.size(); ++at) {
        if (!(example.weights[at] > 0)) continue;
        expected += enumeration.loss(window, example.inputs, at);
        ++weight;
      }
      const Loss loss = objective.optimum(chain, text, example);
      EXPECT_NEAR(loss.total, expected, 1e-10) << one.rate;
      EXPECT_EQ(loss.weight, weight);
    }
  }
}

TEST(MaskedLm, LeavesOutOfTheFloorWhatTheUnigramDoesNotKnow) {
  const std::vector<Token> tokens = {unknown_token, 16};
  const std::vector<std::uint8_t> marks = {no_mark, word_mark};
  const std::vector<double> unigram = {0.5, 0.3, 0.2};
  const Objective objective = masked({{"rate", 1}, {"mask_share", 1}, {"random_share", 0}}, 2);
  const Text text{.tokens = tokens, .marks = marks};
  const Loss loss =
      objective.context_free(unigram, text, objective.transform(text, Rng(1)).front());
  EXPECT_NEAR(loss.total, -std::log(0.5 / 0.8), 1e-12);
  EXPECT_EQ(loss.weight, 1);
}

class OnTheLanguage : public testing::Test {
 protected:
  /// Calls `visit` with windows of 64 of the default language.
  void each_text(int count, const std::function<void(const Text&, Rng)>& visit) const {
    for (int i = 0; i < count; ++i) {
      const auto first = static_cast<std::size_t>(i) * 64;
      visit({.tokens = std::span(content.held_out.tokens).subspan(first, 64),
             .marks = std::span(content.held_out.marks).subspan(first, 64)},
            Rng(1, Stream::corruption, 0, static_cast<std::uint64_t>(i)));
    }
  }

  Loss mean_optimum(const Objective& objective, const Objective& examples_of, int count) const {
    Loss loss;
    each_text(count, [&](const Text& text, Rng rng) {
      loss += objective.optimum(language.chain(), text, examples_of.transform(text, rng).front());
    });
    return loss;
  }

  const Params params{data::language_params(), {{"tokens", 1000}, {"held_out_tokens", 20000}}};
  const data::Language language{params};
  const data::CorpusContent content = data::draw_corpus(language, params);
};

Json pure(double rate) { return {{"rate", rate}, {"mask_share", 1}, {"random_share", 0}}; }

TEST_F(OnTheLanguage, MaskedLmIsHarderTheMoreIsHidden) {
  // Differences are at least .1 nats at 3000 or more targets of deviation 1.3: beyond 3 sigma even
  // if they were not paired.
  Loss single;  // every word, each given all others
  each_text(300, [&](const Text& text, Rng) {
    const Objective objective = masked(pure(0.001), 64);
    for (std::size_t at = 0; at < 64; at += 8) {
      if (text.is_special(at)) continue;
      Example example{.inputs = {text.tokens.begin(), text.tokens.end()},
                      .targets = {text.tokens.begin(), text.tokens.end()},
                      .weights = std::vector<float>(64, 0.0f)};
      example.inputs[at] = mask_token;
      example.weights[at] = 1;
      single += objective.optimum(language.chain(), text, example);
    }
  });
  double last = single.mean().value();
  for (const double rate : {0.15, 0.3, 0.5, 0.8}) {
    const double mean =
        mean_optimum(masked(pure(rate), 64), masked(pure(rate), 64), 300).mean().value();
    EXPECT_LT(last + 0.03, mean) << rate;
    last = mean;
  }
  Loss floor;
  const std::vector<double> distribution = unigram(language.chain());
  each_text(300, [&](const Text& text, Rng rng) {
    const Objective objective = masked(pure(0.8), 64);
    floor += objective.context_free(distribution, text, objective.transform(text, rng).front());
  });
  EXPECT_LT(last + 0.03, floor.mean().value());
  EXPECT_GE(floor.mean().value() - single.mean().value(), 1) << "the language's range";
}

TEST_F(OnTheLanguage, MaskedLmWithoutContextIsItsOwnFloor) {
  // Everything is masked, so only special tokens are visible.
  const Objective objective = masked(pure(1), 64);
  const std::vector<double> distribution = unigram(language.chain());
  const std::vector<Token> tokens = {16, 40, 63, 70};
  const Example example =
      objective.transform({.tokens = std::span(tokens).first(1)}, Rng(1)).front();
  const Loss optimum =
      objective.optimum(language.chain(), {.tokens = std::span(tokens).first(1)}, example);
  const Loss floor =
      objective.context_free(distribution, {.tokens = std::span(tokens).first(1)}, example);
  EXPECT_NEAR(optimum.total, floor.total, 1e-12);
}

TEST_F(OnTheLanguage, MaskedLmFloorIsTheOptimumOfATextOfOneToken) {
  const std::vector<double> distribution = unigram(language.chain());
  for (const Json& given :
       {Json::object(), Json{{"rate", 0.9}, {"mask_share", 0.1}, {"random_share", 0.6}}}) {
    const Objective objective = masked(given, 64);
    for (const Token input : {Token{mask_token}, Token{20}, Token{33}})
      for (const Token target : {Token{20}, Token{79}}) {
        const std::vector<Token> tokens = {target};
        const Example example{.inputs = {input}, .targets = tokens, .weights = {1}};
        EXPECT_NEAR(objective.optimum(language.chain(), {.tokens = tokens}, example).total,
                    objective.context_free(distribution, {.tokens = tokens}, example).total, 1e-12);
      }
  }
}

TEST_F(OnTheLanguage, MaskedLmsExactPredictorIsCalibrated) {
  // Calibration: the expected loss under the exact predictor's distribution equals its loss.
  const Objective objective = masked(Json::object(), 64);
  double excess = 0, variance = 0, targets = 0;
  each_text(12, [&](const Text& text, Rng rng) {
    const Example drawn = objective.transform(text, rng).front();
    for (const Hidden& hidden : drawn.hidden) {
      const auto at = static_cast<std::size_t>(hidden.position);
      Example one = drawn;
      std::fill(one.weights.begin(), one.weights.end(), 0.0f);
      one.weights[at] = 1;
      double total = 0, entropy = 0, squares = 0;
      for (Token word = special_count; word < special_count + 64; ++word) {
        one.targets[at] = word;
        const double loss = objective.optimum(language.chain(), text, one).total;
        const double p = std::exp(-loss);
        total += p;
        entropy += p * loss;
        squares += p * loss * loss;
      }
      ASSERT_NEAR(total, 1, 1e-9) << "the predictions of a token do not sum to 1";
      one.targets[at] = text.tokens[at];
      excess += objective.optimum(language.chain(), text, one).total - entropy;
      variance += squares - entropy * entropy;
      ++targets;
    }
  });
  EXPECT_GT(targets, 60);
  EXPECT_LT(std::abs(excess), 4 * std::sqrt(variance));  // 4 sigma
}

TEST_F(OnTheLanguage, MaskedLmsOptimumIsBeatenByNoOtherBelief) {
  // The same examples, predicted under the assumption of another rate or other fractions.
  const Objective truth = masked(Json::object(), 64);
  const double best = mean_optimum(truth, truth, 300).mean().value();
  for (const Json& belief : {Json{{"rate", 0.6}}, Json{{"mask_share", 0.5}, {"random_share", 0.4}},
                             Json{{"mask_share", 0.8}, {"random_share", 0.001}}})
    EXPECT_LT(best, mean_optimum(masked(belief, 64), truth, 300).mean().value()) << belief;
}

}  // namespace
}  // namespace ablate::objectives
