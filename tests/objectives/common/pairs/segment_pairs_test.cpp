// Masked LM on pairs of segments.

#include "objectives/common/pairs/segment_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/data/batches/texts.h"
#include "harness/data/language/language.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

Json pairs(Json given = Json::object()) {
  given["format"] = "pair";
  return given;
}

Objective masked(const Json& given) { return objective_of("masked_lm", given, 64, 64); }

class PairsOnTheLanguage : public testing::Test {
 protected:
  /// Calls `visit` with every document's part of `windows` windows of 64 tokens, and its examples.
  template <class Visit>
  void each(const Objective& objective, std::int64_t windows, Visit visit) const {
    const data::Texts texts(part(), objective.needs, data::Packing::isolated, 64);
    std::uint64_t number = 0;
    for (std::int64_t window = 0; window < std::min(windows, texts.count()); ++window)
      for (const data::Piece& piece : texts.fragments(window)) {
        const Text text = texts.text_of(piece);
        for (const Example& example :
             objective.transform(text, Rng(1, Stream::corruption, 0, number++)))
          visit(text, example);
      }
  }

  data::Part part() const { return {content.held_out.tokens, content.held_out.marks, 0, 0}; }

  const Params params{data::language_params(), {{"tokens", 1000}, {"held_out_tokens", 64000}}};
  const data::Language language{params};
  const data::CorpusContent content = data::draw_corpus(language, params);
};

TEST(SegmentPairs, AreOffUnlessAskedFor) {
  const auto tokens = text_of(64, 64);
  const Objective plain = masked(Json::object());
  EXPECT_EQ(plain.needs.unit, Unit::window);
  EXPECT_EQ(plain.needs.heads.size(), 1u);
  EXPECT_EQ(plain.transform({.tokens = tokens}, Rng(1)).front().inputs.size(), 64u);
}

TEST(SegmentPairs, NeedAHeadOnlyForALoss) {
  const Objective with = masked(pairs({{"pair", "nsp"}, {"pair_weight", 0.5}}));
  EXPECT_EQ(with.needs.unit, Unit::document);
  ASSERT_EQ(with.needs.heads.size(), 2u);
  EXPECT_EQ(with.needs.heads[1].kind, "pair");
  EXPECT_EQ(with.needs.heads[1].coefficient, 0.5);
  EXPECT_TRUE(with.label_optima);
  for (const Json& without : {pairs(), pairs({{"pair", "sop"}, {"pair_weight", 0}})}) {
    EXPECT_EQ(masked(without).needs.heads.size(), 1u) << without;
    EXPECT_FALSE(masked(without).label_optima) << without;
  }
}

TEST(SegmentPairs, RefuseALabelOfOneSegment) {
  try {
    masked({{"pair", "nsp"}});
    FAIL() << "a label without two segments was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "pair = \"nsp\" with format = \"plain\": a pair label needs two segments; set "
                 "format to \"pair\", or pair to \"none\"");
  }
}

TEST_F(PairsOnTheLanguage, FitTheLengthsThatWerePromised) {
  for (const char* pair : {"none", "nsp", "sop"})
    for (const char* negatives : {"balanced", "reference"}) {
      const Objective objective = masked(pairs({{"pair", pair}, {"negatives", negatives}}));
      each(objective, 200, [&](const Text& text, const Example& example) {
        ASSERT_LE(std::ssize(example.inputs), lengths_of(objective, text.tokens.size()).inputs);
        ASSERT_EQ(example.inputs.front(), classify_token);
        ASSERT_EQ(example.inputs.back(), separator_token);
        for (std::size_t i = 0; i < example.targets.size(); ++i)
          if (example.targets[i] < special_count) {
            ASSERT_EQ(example.weights[i], 0) << "a special token is scored";
            ASSERT_EQ(example.inputs[i], example.targets[i]) << "a special token is hidden";
          }
      });
    }
}

TEST_F(PairsOnTheLanguage, SayWhatWasHiddenByItsPlaceInTheText) {
  for (const char* pair : {"none", "sop"}) {
    const Objective objective =
        masked(pairs({{"pair", pair}, {"mask_share", 1}, {"random_share", 0}}));
    each(objective, 100, [&](const Text& text, const Example& example) {
      std::vector<Token> hidden, scored;
      for (const Hidden& one : example.hidden)
        hidden.push_back(text.tokens[static_cast<std::size_t>(one.position)]);
      for (std::size_t i = 0; i < example.targets.size(); ++i)
        if (example.weights[i] > 0) scored.push_back(example.targets[i]);
      std::sort(hidden.begin(), hidden.end());
      std::sort(scored.begin(), scored.end());
      ASSERT_EQ(hidden, scored);
      ASSERT_TRUE(
          std::is_sorted(example.hidden.begin(), example.hidden.end(),
                         [](const Hidden& a, const Hidden& b) { return a.position < b.position; }));
    });
  }
}

TEST_F(PairsOnTheLanguage, DoWhatTheyIntend) {
  for (const char* pair : {"nsp", "sop"}) {
    const Objective objective = masked(pairs({{"pair", pair}}));
    double hidden = 0, words = 0, labels = 0, broken = 0, unpaired = 0, examples = 0;
    each(objective, 1000, [&](const Text& text, const Example& example) {
      hidden += static_cast<double>(example.hidden.size());
      for (std::size_t i = 0; i < text.tokens.size(); ++i) words += text.is_special(i) ? 0 : 1;
      for (const Fact& fact : example.facts) {
        if (fact.name == "pair") broken += fact.value;
        if (fact.name == "unpaired") unpaired += fact.value;
      }
      ASSERT_LE(example.labels.size(), 1u);
      for (const Label& label : example.labels) {
        EXPECT_EQ(label.at, 0);
        EXPECT_EQ(label.head, 1);
        ++labels;
      }
      ++examples;
    });
    EXPECT_EQ(labels + unpaired, examples);
    EXPECT_GT(labels, 0.5 * examples);
    const auto intended = [&](std::string_view name) {
      for (const Intended& one : objective.intended)
        if (one.name == name) return one;
      return Intended{name, -1, 0};
    };
    EXPECT_NEAR(hidden / words, intended("corruption").value, intended("corruption").tolerance);
    EXPECT_NEAR(broken / labels, intended("pair").value,
                intended("pair").tolerance + 3 * 0.5 / std::sqrt(labels));  // 3 sigma
  }
}

TEST_F(PairsOnTheLanguage, StaticPairsAreTheSameWheneverTheTextIsRead) {
  for (const char* masks : {"static", "dynamic"}) {
    const Objective objective = masked(pairs({{"pair", "nsp"}, {"masks", masks}}));
    const data::Texts texts(part(), objective.needs, data::Packing::isolated, 64);
    Text text = texts.text_of(texts.fragments(3).front());
    text.own = Rng(5);
    std::size_t same = 0;
    const auto first = objective.transform(text, Rng(1)).front().inputs;
    for (std::uint64_t read = 2; read < 12; ++read)
      same += objective.transform(text, Rng(read)).front().inputs == first;
    EXPECT_EQ(same == 10, masks == std::string("static"));
  }
}

TEST(SegmentPairs, SayHowExactTheirOptimumIs) {
  const ObjectiveSpec& spec = spec_of("masked_lm");
  const auto kind = [&](const Json& given) {
    const OptimumKind stated = spec.optimum_kind(Params(spec.params, given));
    EXPECT_EQ(stated != OptimumKind::none, static_cast<bool>(masked(given).optimum)) << given;
    return stated;
  };
  EXPECT_EQ(kind(pairs({{"segments", "tokens"}})), OptimumKind::exact);
  EXPECT_EQ(kind(pairs({{"pair", "sop"}, {"segments", "tokens"}})), OptimumKind::exact);
  EXPECT_EQ(kind(pairs({{"pair", "sop"}, {"segments", "tokens"}, {"count", "exact"}})),
            OptimumKind::upper);
  EXPECT_EQ(kind(pairs({{"pair", "sop"}})), OptimumKind::exact);
  EXPECT_EQ(kind(pairs({{"pair", "nsp"}, {"segments", "tokens"}})), OptimumKind::upper);
  EXPECT_EQ(kind(pairs({{"pair", "nsp"}, {"negatives", "reference"}})), OptimumKind::none);
}

TEST_F(PairsOnTheLanguage, LabelsAreWorthKnowingAndTheExactPredictorDoes) {
  // Below log 2 by more than 5 standard errors of a few hundred labels, and calibrated: its
  // expected loss equals the loss within 4 standard errors.
  for (const auto& [pair, segments] : std::initializer_list<std::pair<const char*, const char*>>{
           {"sop", "tokens"}, {"sop", "sentences"}, {"nsp", "tokens"}}) {
    const Objective objective = masked(pairs({{"pair", pair}, {"segments", segments}}));
    Loss loss, tokens, floor;
    double excess = 0, variance = 0;
    const std::vector<double> distribution = unigram(language.chain());
    each(objective, 400, [&](const Text& text, const Example& example) {
      tokens += objective.optimum(language.chain(), text, example);
      floor += objective.context_free(distribution, text, example);
      if (example.labels.empty()) return;
      const Loss one = objective.label_optima(language.chain(), text, example).at(0);
      loss += one;
      const double p = std::exp(-one.total), q = 1 - p;
      const double entropy = -p * std::log(p) - (q > 0 ? q * std::log(q) : 0);
      excess += one.total - entropy;
      if (q > 0) variance += p * q * std::pow(std::log(p) - std::log(q), 2);
    });
    EXPECT_LT(loss.mean().value(), std::log(2) - 5 * 0.7 / std::sqrt(loss.weight)) << pair;
    EXPECT_LT(tokens.mean().value(), floor.mean().value());
    if (pair == std::string("sop")) {
      EXPECT_LT(std::abs(excess), 4 * std::sqrt(variance)) << segments;
    }
    RecordProperty(std::string(pair) + segments, std::to_string(loss.mean().value()));
  }
}

}  // namespace
}  // namespace ablate::objectives
