// Pictures and their texts: how they are read, and what the exact predictor of which text belongs to a
// picture costs.

#include <gmock/gmock.h>

#include <cmath>

#include "harness/data/language/language.h"
#include "objectives/common/pairs/pictures.h"
#include "objectives/common/views/contrast.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using testing::ElementsAre;
using Tokens = std::vector<Token>;

constexpr std::uint8_t kSpecial = special_mark, kPatch = word_mark | patch_mark, kWord = word_mark;
const Json kModalities = {{"pairs", "modalities"}};

Json with(Json settings) {
  settings.update(kModalities);
  return settings;
}

Objective modalities(const Json& settings = Json::object(), std::int64_t text_length = 30) {
  return objective_of("contrastive", with(settings), 64, text_length);
}

/// A language of few words, with pictures of two patches that may have three values.
const data::Language& pictured_language() {
  static const data::Language language(Params(
      data::language_params(), {{"topics", 2},
                                {"names", 2},
                                {"states", 4},
                                {"vocabulary", 6},
                                {"document_length", 6},
                                {"sentence_length", 3},
                                {"picture", {{"patches", 2}, {"values", 3}, {"noise", 0.4}}}}));
  return language;
}

TEST(Modalities, ReadsAPictureAndItsTextApart) {
  const Tokens document = {begin_token, 70, 71, 20, 21, 22, end_token};
  const std::vector<std::uint8_t> marks = {kSpecial, kPatch, kPatch, kWord, kWord, kWord, kSpecial};
  const Text text{.tokens = document, .marks = marks};
  const Example all = modalities().transform(text, Rng(1)).front();
  EXPECT_THAT(all.inputs,
              ElementsAre(classify_token, 70, 71, classify_token, 20, 21, 22, Token{end_token}));
  EXPECT_THAT(all.positions, ElementsAre(0, 1, 2, 0, 1, 2, 3, 4));
  for (std::size_t i = 0; i < all.sees.size(); ++i) {
    EXPECT_EQ(all.sees[i].from, i < 3 ? 0 : 3);
    EXPECT_EQ(all.sees[i].until, i < 3 ? 3 : 8);
  }
  ASSERT_EQ(all.labels.size(), 1u);
  EXPECT_EQ(all.labels[0].at, 0);
  EXPECT_EQ(all.labels[0].partner, 3);
  const Example brief = modalities({{"segment", 2}}).transform(text, Rng(1)).front();
  EXPECT_THAT(brief.inputs, ElementsAre(classify_token, 70, 71, classify_token, 20, 21));
  EXPECT_LE(std::ssize(all.inputs), modalities().lengths(std::ssize(document)).inputs);
}

TEST(Modalities, HasNoPairWithoutAWholePictureAndSomeText) {
  const Tokens document = {begin_token, 70, 71, 20, 21, end_token};
  const std::vector<std::uint8_t> marks = {kSpecial, kPatch, kPatch, kWord, kWord, kSpecial};
  const auto pairs_of = [&](std::size_t first, std::size_t count, bool marked = true) {
    Text text{.tokens = std::span(document).subspan(first, count)};
    if (marked) text.marks = std::span(marks).subspan(first, count);
    return modalities().transform(text, Rng(1)).front();
  };
  EXPECT_FALSE(pairs_of(0, 4).labels.empty()) << "one token of text is enough";
  EXPECT_TRUE(pairs_of(0, 3).labels.empty()) << "the window ends with the picture, or within it";
  EXPECT_TRUE(pairs_of(1, 5).labels.empty()) << "the first patch may be cut off";
  EXPECT_TRUE(pairs_of(3, 3).labels.empty()) << "the document's second window";
  EXPECT_TRUE(pairs_of(0, 6, false).labels.empty()) << "nothing says which tokens are patches";
  EXPECT_EQ(pairs_of(3, 3).facts.front().value, 0);
}

TEST(Modalities, RefusesSettingsThatSayNothing) {
  EXPECT_THROW(modalities({{"hard_negatives", "shuffled"}}), std::invalid_argument);
  EXPECT_THROW(modalities({{"loss", "sigmoid"}, {"directions", "both"}}), std::invalid_argument);
  EXPECT_THROW(modalities({{"scale", "learned"}, {"temperature", 0.005}}), std::invalid_argument);
  EXPECT_NO_THROW(modalities({{"scale", "learned"}, {"temperature", 0.01}}));
  EXPECT_THROW(
      objective_of("contrastive", {{"loss", "sigmoid"}, {"hard_negatives", "shuffled"}}, 64, 64),
      std::invalid_argument);
}

/// Pictures and texts that a step may have; the last text is a whole document's.
struct Drawn {
  std::vector<Tokens> pictures, texts;
};

Drawn some_pairs(const Chain& chain) {
  const Token patch = special_count + chain.ordinary - 3;  // of the first value
  return {{{patch, patch + 1}, {patch + 2, patch + 2}, {patch, patch + 1}, {patch + 1, patch}},
          {{17, 18, 20}, {16, 20, 19}, {18, 18, 18}, {16, 17, Token{end_token}}}};
}

Tokens document_of(const Tokens& picture, const Tokens& text) {
  Tokens document = {begin_token};
  document.insert(document.end(), picture.begin(), picture.end());
  document.insert(document.end(), text.begin(), text.end());
  return document;
}

/// P(picture i, text j) / P(picture i) / P(text j) of documents, by adding up what windows may hold.
double ratio_by_enumeration(const Chain& chain, const Tokens& picture, const Tokens& text) {
  const Token first = special_count + chain.ordinary - 3;
  double of_text = 0;
  for (Token a = first; a < first + 3; ++a)
    for (Token b = first; b < first + 3; ++b)
      of_text += window_probability(chain, document_of({a, b}, text));
  return window_probability(chain, document_of(picture, text)) /
         window_probability(chain, document_of(picture, {})) / of_text;
}

class ModalitiesOptimum : public testing::Test {
 protected:
  ModalitiesOptimum() {
    for (std::size_t i = 0; i < drawn_.texts.size(); ++i) {
      Example& example = examples_.emplace_back();
      example.inputs = {classify_token, drawn_.pictures[i][0], drawn_.pictures[i][1],
                        classify_token};
      for (const Token token : drawn_.texts[i]) example.inputs.push_back(token);
      example.labels = {{.head = 0, .at = 0, .weight = 1, .partner = 3}};
    }
    for (const Example& example : examples_) step_.push_back({nothing_, example});
  }

  std::vector<Loss> optima(const Json& settings) const {
    return objective_of("contrastive", with(settings), chain_.ordinary, 32)
        .step_optimum(chain_, step_);
  }

  double ratio(std::size_t i, std::size_t j) const {
    return ratio_by_enumeration(chain_, drawn_.pictures[i], drawn_.texts[j]);
  }

  const Chain& chain_ = pictured_language().chain();
  const Drawn drawn_ = some_pairs(chain_);
  const Text nothing_;
  std::vector<Example> examples_;
  std::vector<MadeExample> step_;
};

TEST_F(ModalitiesOptimum, IsThatOfEnumerationInBothDirections) {
  const auto one = optima(Json::object()), both = optima({{"directions", "both"}});
  for (std::size_t i = 0; i < 4; ++i) {
    double among_texts = 0, among_pictures = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      among_texts += ratio(i, j);
      among_pictures += ratio(j, i);
    }
    const double forward = std::log(among_texts / ratio(i, i)),
                 backward = std::log(among_pictures / ratio(i, i));
    EXPECT_NEAR(one[i].total, forward, 1e-10);
    EXPECT_NEAR(both[i].total, (forward + backward) / 2, 1e-10);
    EXPECT_EQ(one[i].weight, 1);
  }
}

// Of the labels of all pairs: P(together) among four is 1/4 before anything is read.
TEST_F(ModalitiesOptimum, OfTheSigmoidIsThatOfEnumeration) {
  const auto found = optima({{"loss", "sigmoid"}});
  for (std::size_t i = 0; i < 4; ++i) {
    double expected = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const double together = 0.25 * ratio(i, j) / (0.25 * ratio(i, j) + 0.75);
      expected -= std::log(i == j ? together : 1 - together);
    }
    EXPECT_NEAR(found[i].total, expected, 1e-10);
  }
}

TEST_F(ModalitiesOptimum, IsStatedWhereItIsKnown) {
  const ObjectiveSpec& spec = spec_of("contrastive");
  const auto kind = [&](const Json& settings) {
    const OptimumKind kind = spec.optimum_kind(Params(spec.params, with(settings)));
    EXPECT_EQ(kind == OptimumKind::exact, static_cast<bool>(modalities(settings).step_optimum));
    return kind;
  };
  EXPECT_EQ(kind(Json::object()), OptimumKind::exact);
  EXPECT_EQ(kind({{"loss", "sigmoid"}, {"scale", "learned"}}), OptimumKind::exact);
  EXPECT_EQ(kind({{"directions", "all"}}), OptimumKind::none);
}

TEST_F(ModalitiesOptimum, WithoutContextEveryPairIsAlike) {
  const auto floor = [&](const Json& settings) {
    return modalities(settings).step_context_free(step_).front().total;
  };
  EXPECT_DOUBLE_EQ(floor(Json::object()), std::log(4.0));
  EXPECT_NEAR(floor({{"loss", "sigmoid"}}), -std::log(0.25) - 3 * std::log(0.75), 1e-12);
}

// A batch of one pair says nothing: a predictor that knows it is alone is always right.
TEST(Modalities, OnePairAloneCostsNothing) {
  EXPECT_EQ(pair_costs({3.0}, 1, Contrast::sigmoid), std::vector<double>{0});
  EXPECT_EQ(pair_costs({3.0}, 1, Contrast::both), std::vector<double>{0});
  EXPECT_EQ(blind_cost(1, Contrast::sigmoid, false), 0);
}

// What the exact predictor loses on drawn documents is what it says that it will lose: the law by which
// documents are drawn is the one that the optimum supposes.
TEST(Modalities, ItsOptimumIsTheEntropyOfItsPosterior) {
  const data::Language& language = pictured_language();
  const Objective objective =
      objective_of("contrastive", with({{"segment", 3}}), language.chain().ordinary, 32);
  constexpr std::size_t kPairs = 16;
  double lost = 0, foreseen = 0, squares = 0, pairs = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    std::vector<data::Language::Document> documents;
    for (std::uint64_t i = 0; i < kPairs; ++i)
      documents.push_back(language.document(Rng(number).fork(i)));
    std::vector<Text> texts;
    for (const auto& document : documents)
      texts.push_back({.tokens = document.tokens, .marks = document.marks});
    std::vector<Example> examples;
    for (const Text& text : texts) examples.push_back(objective.transform(text, Rng(1)).front());
    std::vector<MadeExample> step;
    std::vector<std::span<const Token>> pictures, words;
    for (std::size_t i = 0; i < kPairs; ++i) {
      ASSERT_EQ(examples[i].labels.size(), 1u);
      step.push_back({texts[i], examples[i]});
      const std::span<const Token> inputs = examples[i].inputs;
      pictures.push_back(inputs.subspan(1, 2));
      words.push_back(inputs.subspan(4));
    }
    const std::vector<Loss> optima = objective.step_optimum(language.chain(), step);
    const std::vector<double> ratios = picture_ratios(language.chain(), pictures, words);
    for (std::size_t i = 0; i < kPairs; ++i) {
      double all = 0, entropy = 0;
      for (std::size_t j = 0; j < kPairs; ++j) all += ratios[i * kPairs + j];
      for (std::size_t j = 0; j < kPairs; ++j) {
        const double p = ratios[i * kPairs + j] / all;
        if (p > 0) entropy -= p * std::log(p);
      }
      lost += optima[i].total;
      foreseen += entropy;
      squares += (optima[i].total - entropy) * (optima[i].total - entropy);
      ++pairs;
    }
  }
  EXPECT_LT(lost / pairs, std::log(kPairs) - 0.1) << "there is something to learn";
  EXPECT_NEAR(lost / pairs, foreseen / pairs, 4 * std::sqrt(squares) / pairs);
}

}  // namespace
}  // namespace ablate::objectives
