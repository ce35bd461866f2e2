// Masked language modelling with parameters other than the defaults.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "harness/contract/realised.h"
#include "objectives/common/masks/masking.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

Objective masked(const Json& given = Json::object(), Token ordinary = 100) {
  return objective_of("masked_lm", given, ordinary, 512);
}

TEST(MaskedLm, KeepsAStaticMaskWheneverATextIsRead) {
  const std::vector<Token> tokens = text_of(200);
  Text text{.tokens = tokens, .own = Rng(5)};
  const Objective fixed = masked({{"masks", "static"}});
  const Example first = fixed.transform(text, Rng(1)).front();
  text.progress = 0.7;
  EXPECT_EQ(fixed.transform(text, Rng(2)).front().inputs, first.inputs);
  EXPECT_EQ(masked().transform(text, Rng(5)).front().inputs, first.inputs)
      << "drawn as a dynamic one is";
  EXPECT_NE(masked().transform(text, Rng(2)).front().inputs, first.inputs);
  text.own = Rng(6);
  EXPECT_NE(fixed.transform(text, Rng(1)).front().inputs, first.inputs);
}

TEST(MaskedLm, ChangesTheRateInProportionToProgress) {
  const std::vector<Token> tokens = text_of(512);
  const Objective falling = masked({{"rate", .4}, {"final_rate", .1}});
  for (const double progress : {0.0, 0.25, 0.5, 1.0}) {
    const Text text{.tokens = tokens, .progress = progress};
    const Example example = falling.transform(text, Rng(3)).front();
    const Example constant =
        masked({{"rate", .4 + (.1 - .4) * progress}}).transform(text, Rng(3)).front();
    EXPECT_EQ(example.inputs, constant.inputs) << progress;
  }
}

TEST(MaskedLm, ScoresPartOfWhatItHidesWhereAsked) {
  const std::vector<Token> tokens = text_of(512);
  const Text text{.tokens = tokens};
  const double size = 512 - 26;
  for (const char* count : {"bernoulli", "exact"}) {
    const Json all = {{"rate", .4}, {"count", count}};
    Json part = all;
    part["prediction_rate"] = .1;
    double hidden = 0, scored = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Example complete = masked(all).transform(text, Rng(i)).front();
      const Example example = masked(part).transform(text, Rng(i)).front();
      ASSERT_EQ(example.inputs, complete.inputs) << "corruption does not depend on prediction";
      std::set<std::size_t> positions;
      for (const Hidden& one : example.hidden)
        positions.insert(static_cast<std::size_t>(one.position));
      double of_text = 0;
      for (std::size_t at = 0; at < tokens.size(); ++at) {
        ASSERT_TRUE(example.weights[at] == 0 || positions.contains(at));
        of_text += example.weights[at];
      }
      if (count == std::string("exact")) {
        ASSERT_EQ(of_text, std::nearbyint(.1 * size));
      }
      hidden += static_cast<double>(positions.size());
      scored += of_text;
    }
    EXPECT_NEAR(hidden, 200 * size * .4, 5 * std::sqrt(200 * size * .24)) << count;
    EXPECT_NEAR(scored, 200 * size * .1, 5 * std::sqrt(200 * size * .09)) << count;
  }
}

TEST(MaskedLm, ScoresEveryHiddenTokenAsOftenWhatItIsShownAs) {
  const std::vector<Token> tokens = text_of(512);
  const Objective objective = masked({{"rate", .5}, {"prediction_rate", .25}});
  double keep = 0, scored = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
    for (const Hidden& hidden : example.hidden) {
      if (hidden.how != HiddenAs::keep) continue;
      ++keep;
      scored += example.weights[static_cast<std::size_t>(hidden.position)];
    }
  }
  EXPECT_NEAR(scored, keep / 2, 5 * std::sqrt(keep / 4));
}

TEST(MaskedLm, ShowsASpanAsOneAndOtherUnitsTokenByToken) {
  const std::vector<Token> tokens = text_of(512);
  for (const char* unit : {"token", "whole_word", "span", "ngram"}) {
    const Objective objective = masked({{"rate", .3}, {"unit", unit}, {"mask_share", .5}});
    int neighbours = 0, same = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
      const Example example = objective.transform({.tokens = tokens}, Rng(i)).front();
      for (std::size_t k = 1; k < example.hidden.size(); ++k) {
        if (example.hidden[k].position != example.hidden[k - 1].position + 1) continue;
        ++neighbours;
        same += example.hidden[k].how == example.hidden[k - 1].how;
      }
    }
    ASSERT_GT(neighbours, 1000) << unit;
    if (unit == std::string("span"))
      EXPECT_EQ(same, neighbours);
    else  // fractions of .5, .1 and .4
      EXPECT_NEAR(same, .42 * neighbours, 5 * std::sqrt(.25 * neighbours)) << unit;
  }
}

TEST(MaskedLm, SaysWhetherWordsAreKnownWhereItHidesWords) {
  const std::vector<Token> tokens = {16, 17, 18};
  const std::vector<std::uint8_t> marks = {word_mark, no_mark, word_mark};
  EXPECT_TRUE(masked().transform({.tokens = tokens}, Rng(1)).front().facts.empty());
  for (const char* unit : {"whole_word", "span", "ngram"}) {
    const Objective objective = masked({{"unit", unit}});
    for (const bool known : {false, true}) {
      Text text{.tokens = tokens};
      if (known) text.marks = marks;
      const Example example = objective.transform(text, Rng(1)).front();
      ASSERT_EQ(example.facts.size(), 1u);
      EXPECT_EQ(example.facts[0].name, "word_marks");
      EXPECT_EQ(example.facts[0].value, known);
    }
  }
}

TEST(MaskedLm, MayHideLessWhereNoWordFitsIntoWhatIsLeft) {
  // Words of 7 tokens in texts of 32, as in bytes of prose: a budget of 5 has room for none.
  const std::vector<Token> tokens = text_of(32);
  std::vector<std::uint8_t> marks(tokens.size(), no_mark);
  for (std::size_t i = 0; i < marks.size(); i += 7) marks[i] = word_mark;
  const Text text{.tokens = tokens, .marks = marks};
  for (const Json& given : {Json{{"unit", "ngram"}, {"rate", .15}},
                            Json{{"unit", "whole_word"}, {"count", "exact"}, {"rate", .4}}}) {
    const Objective objective = masked(given);
    Realised realised;
    for (std::uint64_t i = 0; i < 2000; ++i)
      realised.add(text, objective.transform(text, Rng(i)).front());
    EXPECT_LT(realised.corruption(), given["rate"].get<double>() - .02) << given;
    EXPECT_EQ(deviation(objective.intended, realised), "") << given;
  }
}

TEST(MaskedLm, IntendsItsMeanRates) {
  const auto intends = [](const Json& given) {
    std::vector<double> values;
    for (const Intended& one : masked(given).intended) values.push_back(one.value);
    return values;
  };
  EXPECT_EQ(intends(Json::object()), (std::vector<double>{.15, .15, .8, .1, 1 - .8 - .1}));
  EXPECT_EQ(intends({{"rate", .5}, {"final_rate", .25}}),
            (std::vector<double>{.375, .375, .8, .1, 1 - .8 - .1}));
  EXPECT_EQ(intends({{"rate", .5}, {"prediction_rate", .125}}),
            (std::vector<double>{.5, .125, .8, .1, 1 - .8 - .1}));
}

std::string refusal_of(const Json& given) {
  try {
    masked(given);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(MaskedLm, RefusesToPredictMoreThanItHides) {
  EXPECT_EQ(refusal_of({{"rate", .2}, {"prediction_rate", .2}}), "");
  EXPECT_EQ(refusal_of({{"rate", .2}, {"prediction_rate", .4}}),
            "masked_lm: prediction_rate = 0.4 is above the rate, 0.2; only hidden tokens are "
            "predicted, because a visible token can be copied; lower it, or raise the rate");
  EXPECT_NE(refusal_of({{"rate", .5}, {"final_rate", .2}, {"prediction_rate", .4}}), "");
}

TEST(MaskedLm, RefusesStaticMasksOfAChangingRate) {
  EXPECT_EQ(refusal_of({{"masks", "static"}, {"final_rate", .15}}), "");
  EXPECT_EQ(refusal_of({{"masks", "static"}, {"final_rate", .3}}),
            "masked_lm: masks = \"static\" and final_rate = 0.3 contradict each other: a changing "
            "rate changes the masks; drop one of them");
}

TEST(MaskedLm, HidesInTurnWhatItHasHiddenLeastOften) {
  const std::vector<Token> tokens = text_of(44);
  const Objective in_turn = masked({{"masks", "in_turn"},
                                    {"rate", 0.25},
                                    {"count", "exact"},
                                    {"mask_share", 1},
                                    {"random_share", 0}});
  Text text{.tokens = tokens, .own = Rng(5)};
  std::int64_t own = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) own += !text.is_special(i);
  std::vector<int> times(tokens.size());
  for (text.pass = 0; text.pass < 12; ++text.pass) {
    // The numbers of the step decide nothing but how many.
    const Example example =
        in_turn.transform(text, Rng(static_cast<std::uint64_t>(text.pass))).front();
    EXPECT_EQ(std::ssize(example.hidden), exact_count(own, 0.25));
    for (const Hidden& hidden : example.hidden) ++times[static_cast<std::size_t>(hidden.position)];
    int most = 0, least = 100;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (text.is_special(i)) continue;
      most = std::max(most, times[i]);
      least = std::min(least, times[i]);
    }
    EXPECT_LE(most - least, 2) << text.pass;  // a text may end an order and begin the next
  }
  EXPECT_EQ(std::accumulate(times.begin(), times.end(), 0), 12 * exact_count(own, 0.25));
  // Other texts have other orders, and the same text the same.
  const auto positions = [&](std::uint64_t key) {
    std::vector<std::int32_t> list;
    const Text other{.tokens = tokens, .pass = 2, .own = Rng(key)};
    const Example example = in_turn.transform(other, Rng(1)).front();
    for (const Hidden& hidden : example.hidden) list.push_back(hidden.position);
    return list;
  };
  EXPECT_EQ(positions(5), positions(5));
  EXPECT_NE(positions(5), positions(6));
}

TEST(MaskedLm, HidesInTurnEverySubsetEquallyOften) {
  // Three of five, in the second reading: five orders end in it and others begin.
  const std::vector<Token> tokens = {20, 21, 22, 23, 24};
  const Objective in_turn = masked({{"masks", "in_turn"}, {"rate", 0.6}, {"count", "exact"}});
  std::map<std::vector<std::int32_t>, int> drawn;
  constexpr int kTexts = 5000;
  for (std::uint64_t key = 0; key < kTexts; ++key) {
    const Text text{.tokens = tokens, .pass = 1, .own = Rng(key)};
    std::vector<std::int32_t> set;
    const Example example = in_turn.transform(text, Rng(key)).front();
    for (const Hidden& hidden : example.hidden) set.push_back(hidden.position);
    ++drawn[set];
  }
  EXPECT_EQ(drawn.size(), 10u);
  for (const auto& [set, times] : drawn) EXPECT_NEAR(times, kTexts / 10, 5 * std::sqrt(450.0));
}

TEST(MaskedLm, HidesInTurnAsOftenAsItsRateSaysWhileThatChanges) {
  const std::vector<Token> tokens(50, 20);
  const Objective in_turn =
      masked({{"masks", "in_turn"}, {"rate", 0.4}, {"final_rate", 0.1}, {"count", "exact"}});
  std::vector<int> times(tokens.size());
  for (std::int64_t pass = 0; pass < 10; ++pass) {
    const Text text{.tokens = tokens,
                    .pass = pass,
                    .own = Rng(1),
                    .progress = (static_cast<double>(pass) + 0.5) / 10};
    const Example example = in_turn.transform(text, Rng(2)).front();
    for (const Hidden& hidden : example.hidden) ++times[static_cast<std::size_t>(hidden.position)];
  }
  EXPECT_NEAR(std::accumulate(times.begin(), times.end(), 0), 125, 3);
  EXPECT_LE(*std::ranges::max_element(times) - *std::ranges::min_element(times), 2);
}

TEST(MaskedLm, RefusesTurnsOfWhatIsNotASingleTokenOfAPlainText) {
  EXPECT_THROW(masked({{"masks", "in_turn"}, {"unit", "span"}}), std::invalid_argument);
  EXPECT_THROW(masked({{"masks", "in_turn"}, {"format", "pair"}}), std::invalid_argument);
}

TEST(MaskedLm, ReadsEachTokenOutAtThePlaceBeforeItWhereAsked) {
  const std::vector<Token> tokens = {20, 21, 22, end_token, begin_token, 23, 24, 25, end_token};
  const Text text{.tokens = tokens};
  const Objective in_place = objective_of("masked_lm", {{"rate", 0.5}}, 100, 9),
                  next = objective_of("masked_lm", {{"rate", 0.5}, {"readout", "next"}}, 100, 9);
  EXPECT_EQ(next.needs.alignment, Alignment::continuation);
  EXPECT_EQ(next.needs.attention_least, Attention::bidirectional);
  EXPECT_FALSE(next.needs.reads);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Example one = in_place.transform(text, Rng(seed)).front(),
                  other = next.transform(text, Rng(seed)).front();
    EXPECT_TRUE(other.inputs.empty());
    EXPECT_EQ(other.shown, one.inputs);
    EXPECT_EQ(other.targets, one.targets);
    EXPECT_EQ(other.weights, one.weights);
    ASSERT_EQ(other.sees.size(), tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {  // its document, begin and end included
      EXPECT_EQ(other.sees[i].from, i < 4 ? 0 : 4);
      EXPECT_EQ(other.sees[i].until, i < 4 ? 4 : 9);
    }
    const Chain chain = tiny_chain(1);
    const std::vector<Token> small = {begin_token, 16, 17, 18, 16, end_token};
    const Text of_chain{.tokens = small};
    const Objective narrow_next =
                        objective_of("masked_lm", {{"rate", 0.5}, {"readout", "next"}}, 3, 9),
                    narrow = objective_of("masked_lm", {{"rate", 0.5}}, 3, 9);
    EXPECT_EQ(
        narrow_next.optimum(chain, of_chain, narrow_next.transform(of_chain, Rng(seed)).front())
            .total,
        narrow.optimum(chain, of_chain, narrow.transform(of_chain, Rng(seed)).front()).total);
  }
  EXPECT_THROW(objective_of("masked_lm", {{"format", "pair"}, {"readout", "next"}}, 100, 9),
               std::invalid_argument);
}

TEST(MaskedLm, LeavesOutOfItsConfigurationThatItReadsOutInPlace) {
  const ObjectiveSpec& spec = spec_of("masked_lm");
  EXPECT_EQ(Params(spec.params, {{"readout", "in_place"}}).json(),
            Params(spec.params, Json::object()).json());
}

TEST(MaskedLm, CallsItsOptimumExactOnlyWhereTokensAreHiddenOnTheirOwn) {
  const ObjectiveSpec& spec = spec_of("masked_lm");
  const auto kind = [&](const Json& given) {
    return spec.optimum_kind(Params(spec.params, given));
  };
  EXPECT_EQ(kind({{"masks", "static"}, {"prediction_rate", .1}}), OptimumKind::exact);
  EXPECT_EQ(kind({{"final_rate", .4}}), OptimumKind::exact);
  for (const char* unit : {"whole_word", "span", "ngram"})
    EXPECT_EQ(kind({{"unit", unit}}), OptimumKind::upper) << unit;
}

TEST(MaskedLm, StatesAsUpperOptimumThatOfARealPredictor) {
  // Its predictions of a token sum to 1, so its expected loss is not below the minimum.
  const Chain chain = tiny_chain(5);
  for (const char* unit : {"whole_word", "span", "ngram"}) {
    const Objective objective = masked({{"rate", .5}, {"unit", unit}, {"count", "exact"}}, 3);
    for (const std::vector<Token>& window : tiny_windows()) {
      const Text text{.tokens = window};
      Example example = objective.transform(text, Rng(6)).front();
      ASSERT_FALSE(example.hidden.empty());
      const auto at = static_cast<std::size_t>(example.hidden.front().position);
      std::fill(example.weights.begin(), example.weights.end(), 0.0f);
      example.weights[at] = 1;
      double total = 0;
      for (Token word = special_count; word < special_count + 3; ++word) {
        example.targets[at] = word;
        total += std::exp(-objective.optimum(chain, text, example).total);
      }
      EXPECT_NEAR(total, 1, 1e-12) << unit;
    }
  }
}

}  // namespace
}  // namespace ablate::objectives
