#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "harness/data/language/language.h"
#include "objectives/common/pairs/neighbours.h"
#include "objectives/common/views/views.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

using testing::ElementsAre;
using Tokens = std::vector<Token>;
using Segments = std::vector<std::span<const Token>>;

constexpr std::int64_t kSegment = 3;

Objective contrastive(std::int64_t text_length, Token ordinary = 64) {
  return objective_of("contrastive", {{"segment", kSegment}}, ordinary, text_length);
}

TEST(Contrastive, ReadsTwoNeighbouringSegmentsApart) {
  const Tokens document = {begin_token, 20, 21, 22, 23, 24, 25, end_token};
  const Objective objective = contrastive(2 * kSegment);
  const Example example = objective.transform({.tokens = document}, Rng(1)).front();
  EXPECT_THAT(example.inputs, ElementsAre(classify_token, 20, 21, 22, classify_token, 23, 24, 25));
  EXPECT_THAT(example.positions, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(example.sees[i].from, i < 4 ? 0 : 4);
    EXPECT_EQ(example.sees[i].until, i < 4 ? 4 : 8);
  }
  EXPECT_TRUE(example.targets.empty());
  ASSERT_EQ(example.labels.size(), 1u);
  EXPECT_EQ(example.labels[0].at, 0);
  EXPECT_EQ(example.labels[0].partner, 4);
  EXPECT_EQ(example.labels[0].head, 0);
}

TEST(Contrastive, DrawsEveryStartAlikeWhateverTheLengthOfTheText) {
  // A start is drawn before it is known whether the text goes that far, so each one of a short text
  // is as likely as one of a long text, and half of the draws on a text of half the length are lost.
  const Objective objective = contrastive(16);
  for (const std::size_t words : {std::size_t{6}, std::size_t{10}, std::size_t{16}}) {
    Tokens document;
    for (std::size_t i = 0; i < words; ++i) document.push_back(static_cast<Token>(20 + i));
    std::vector<int> starts(11, 0);
    int pairs = 0;
    for (std::uint64_t i = 0; i < 11000; ++i) {
      const Example example = objective.transform({.tokens = document}, Rng(i)).front();
      ASSERT_EQ(example.facts.front().value, example.labels.empty() ? 0 : 1);
      if (example.labels.empty()) continue;
      ++starts.at(static_cast<std::size_t>(example.inputs[1] - 20));
      ++pairs;
    }
    EXPECT_NEAR(pairs, 1000.0 * static_cast<double>(words - 5), 150) << words;
    for (std::size_t start = 0; start < words - 5; ++start) EXPECT_NEAR(starts[start], 1000, 150);
  }
}

TEST(Contrastive, HasNoPairWhereTheDocumentIsShort) {
  const Objective objective = contrastive(16);
  for (const Tokens& document :
       {Tokens{}, Tokens{20}, Tokens{begin_token, 20, 21, 22, 23, 24, end_token}})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Example example = objective.transform({.tokens = document}, Rng(seed)).front();
      EXPECT_TRUE(example.inputs.empty());
      EXPECT_TRUE(example.labels.empty());
    }
}

TEST(Contrastive, RefusesSegmentsThatDoNotFitTwice) {
  EXPECT_NO_THROW(contrastive(2 * kSegment));
  EXPECT_THROW(contrastive(2 * kSegment - 1), std::invalid_argument);
}

/// All texts of `length` ordinary words of a tiny chain.
std::vector<Tokens> all_texts(std::size_t length) {
  std::vector<Tokens> texts = {{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Tokens> longer;
    for (const Tokens& text : texts)
      for (const Token token : {16, 17, 18}) {
        longer.push_back(text);
        longer.back().push_back(token);
      }
    texts = std::move(longer);
  }
  return texts;
}

Tokens joined(Tokens a, const Tokens& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Contrastive, HasTheOptimumThatEnumerationGives) {
  const std::vector<Tokens> texts = all_texts(2);
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    const auto joint = [&](const Tokens& a, const Tokens& b) {
      return window_probability(chain, joined(a, b));
    };
    std::vector<double> alone;  // P(second segment), of pairs
    for (const Tokens& b : texts) {
      alone.push_back(0);
      for (const Tokens& a : texts) alone.back() += joint(a, b);
    }
    Segments first, second;
    for (const std::size_t i : {0u, 5u, 3u, 8u}) first.emplace_back(texts[i]);
    const std::size_t seconds[] = {2, 7, 7, 4};
    for (const std::size_t i : seconds) second.emplace_back(texts[i]);
    const std::vector<double> found = neighbour_posteriors(chain, first, second);
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<double> expected;
      double all = 0;
      for (std::size_t j = 0; j < 4; ++j)
        all += expected.emplace_back(joint({first[i].begin(), first[i].end()}, texts[seconds[j]]) /
                                     alone[seconds[j]]);
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(found[i * 4 + j], expected[j] / all, 1e-10) << i << ' ' << j;
    }
  }
}

TEST(Contrastive, ItsOptimumIsTheEntropyOfItsPosterior) {
  // What the exact predictor loses is on average what it says that it will lose, if the pairs are
  // drawn as it supposes: here from stretches of running text, as rows of a step are.
  const Params dials(data::language_params(), {{"tokens", 400000}, {"held_out_tokens", 1000}});
  const data::Language language(dials);
  const auto corpus = data::draw_corpus(language, dials).training;
  const Objective objective = contrastive(12, language.chain().ordinary);
  std::vector<Example> examples;
  std::vector<Text> texts;
  for (std::size_t first = 0, row = 0; first + 48 <= corpus.tokens.size(); first += 48, ++row) {
    const auto window = std::span(corpus.tokens).subspan(first + (row * 7) % 36, 12);
    for (std::size_t from = 0; from < window.size();) {  // the part of each document
      std::size_t end = from + 1;
      while (end < window.size() && window[end] != begin_token && window[end - 1] != end_token)
        ++end;
      texts.push_back({.tokens = window.subspan(from, end - from)});
      for (Example& example : objective.transform(texts.back(), Rng(row).fork(from)))
        examples.push_back(std::move(example));
      from = end;
    }
  }
  std::erase_if(examples, [](const Example& example) { return example.labels.empty(); });
  double lost = 0, foreseen = 0, squares = 0;
  std::size_t pairs = 0;
  constexpr std::size_t kPairs = 16;
  const Text nothing;
  for (std::size_t first = 0; first + kPairs <= examples.size(); first += kPairs) {
    std::vector<MadeExample> step;
    Segments segments[2];
    for (std::size_t i = first; i < first + kPairs; ++i) {
      step.push_back({nothing, examples[i]});
      const std::span<const Token> inputs = examples[i].inputs;
      for (std::size_t side = 0; side < 2; ++side)
        segments[side].push_back(inputs.subspan(side * (kSegment + 1) + 1, kSegment));
    }
    const std::vector<Loss> optima = objective.step_optimum(language.chain(), step);
    const auto posterior = neighbour_posteriors(language.chain(), segments[0], segments[1]);
    for (std::size_t i = 0; i < kPairs; ++i) {
      double entropy = 0;
      for (std::size_t j = 0; j < kPairs; ++j) {
        const double p = posterior[i * kPairs + j];
        if (p > 0) entropy -= p * std::log(p);
      }
      EXPECT_NEAR(optima[i].total, -std::log(posterior[i * kPairs + i]), 1e-12);
      lost += optima[i].total;
      foreseen += entropy;
      squares += (optima[i].total - entropy) * (optima[i].total - entropy);
      ++pairs;
    }
  }
  ASSERT_GT(pairs, 1500u);
  const auto count = static_cast<double>(pairs);
  EXPECT_LT(lost / count, std::log(kPairs) - 0.05);  // there is something to learn
  EXPECT_NEAR(lost / count, foreseen / count, 4 * std::sqrt(squares) / count);
}

TEST(Contrastive, WithoutContextAllPairsOfTheStepAreAlike) {
  const Objective objective = contrastive(2 * kSegment);
  const Tokens full = {20, 21, 22, 23, 24, 25}, brief = {20, 21};
  const Text texts[] = {{.tokens = full}, {.tokens = brief}, {.tokens = full}};
  std::vector<Example> examples;
  for (const Text& text : texts) examples.push_back(objective.transform(text, Rng(1)).front());
  std::vector<MadeExample> step;
  for (std::size_t i = 0; i < 3; ++i) step.push_back({texts[i], examples[i]});
  const std::vector<Loss> floors = objective.step_context_free(step);
  EXPECT_EQ(floors[0].total, std::log(2.0));
  EXPECT_EQ(floors[1].weight, 0);
  EXPECT_EQ(floors[2].weight, 1);
}

Example pair_with(const Json& settings, const Tokens& words, std::uint64_t seed) {
  const Objective objective = objective_of("contrastive", settings, 64, 30);
  return objective.transform({.tokens = words}, Rng(seed)).front();
}

/// Passage `number` of an example, without the place for its state.
Tokens passage(const Example& example, std::int32_t number) {
  const auto stride = static_cast<std::size_t>(example.labels.at(0).partner);
  const auto first = example.inputs.begin() + std::int64_t{number} * example.labels[0].partner;
  EXPECT_EQ(*first, classify_token);
  return {first + 1, first + static_cast<std::int64_t>(stride)};
}

Tokens running_words(std::size_t count) {
  Tokens words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(static_cast<Token>(16 + i));
  return words;
}

Json augmented(const char* augmentation, double rate) {
  return {{"pairs", "augmented"},
          {"augmentation", augmentation},
          {"augmentation_rate", rate},
          {"segment", 10}};
}

TEST(Contrastive, ReadsAPassageTwiceWhereDropoutIsToTellTheTwoApart) {
  for (const std::size_t count : {1u, 6u, 30u}) {
    const Example example =
        pair_with({{"pairs", "dropout"}, {"segment", 10}}, running_words(count), 3);
    EXPECT_EQ(passage(example, 0), passage(example, 1));
    EXPECT_EQ(passage(example, 0).size(), std::min<std::size_t>(count, 10));
    EXPECT_NE(example.sees[0].until, example.sees.back().until) << "they do not see each other";
  }
  EXPECT_TRUE(pair_with({{"pairs", "dropout"}}, {begin_token, end_token}, 1).labels.empty());
}

TEST(Contrastive, MakesTwoViewsOfAPassageAtTheAskedRate) {
  const Tokens words = running_words(30);
  for (const char* augmentation : {"cut_off", "crop", "shuffle", "replace"}) {
    double stated = 0, counted = 0;
    int different = 0;
    constexpr int kTexts = 2000;
    for (int i = 0; i < kTexts; ++i) {
      const Example example =
          pair_with(augmented(augmentation, 0.3), words, static_cast<std::uint64_t>(i));
      const Tokens first = passage(example, 0), second = passage(example, 1);
      ASSERT_EQ(first.size(), second.size()) << "the length must not tell";
      different += first != second ? 1 : 0;
      for (const Fact& fact : example.facts)
        if (fact.name == "changed") stated += fact.value / (2 * kTexts);
      for (std::size_t at = 0; at + 1 < first.size(); ++at)
        counted += first[at + 1] != first[at] + 1 ? 1 : 0;
    }
    SCOPED_TRACE(augmentation);
    EXPECT_GT(different, kTexts / 2);
    if (augmentation == std::string("crop")) {
      EXPECT_EQ(counted, 0) << "a stretch as it was";
      EXPECT_NEAR(stated, 0.3, 1e-9);
    } else {
      EXPECT_GT(counted, 0);
      // A replaced token may be the same again; of tokens that change places one stays on average.
      const double stays = (1 - std::pow(0.7, 10)) / 10;
      const std::string name = augmentation;
      EXPECT_NEAR(stated,
                  name == "shuffle"   ? 0.3 - stays
                  : name == "replace" ? 0.3 * 63 / 64
                                      : 0.3,
                  0.01);
    }
  }
}

TEST(Contrastive, ViewsFollowTheLawThatTheVectorsGive) {
  const Json vectors = vectors_of("contrastive");
  const auto passage = vectors.at("passage").get<Tokens>();
  const Vocabulary vocabulary{.ordinary = vectors.at("ordinary")};
  for (const Json& one : vectors.at("laws")) {
    SCOPED_TRACE(one.at("augmentation").dump() + " at " + one.at("rate").dump());
    std::map<Tokens, double> law;
    for (const Json& outcome : one.at("outcomes"))
      law[outcome.at("view").get<Tokens>()] = outcome.at("probability");
    const std::map<std::string, Augmentation> named = {{"cut_off", Augmentation::cut_off},
                                                       {"crop", Augmentation::crop},
                                                       {"shuffle", Augmentation::shuffle},
                                                       {"replace", Augmentation::replace}};
    const Augmentation augmentation = named.at(one.at("augmentation"));
    const double rate = one.at("rate");
    expect_distribution(law, 20000, [&](std::uint64_t i) {
      return view_of(passage, augmentation, rate, vocabulary, Rng(i));
    });
  }
}

TEST(Contrastive, AShuffledViewHasTheTokensOfThePassage) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Tokens view = passage(pair_with(augmented("shuffle", 1), running_words(10), seed), 1);
    std::ranges::sort(view);
    EXPECT_EQ(view, running_words(10));
  }
}

TEST(Contrastive, AHardNegativeIsNeverACopyOfThePositive) {
  const Json hard = {{"pairs", "dropout"}, {"segment", 4}, {"hard_negatives", "shuffled"}};
  for (const Tokens& words : {Tokens{20, 21, 22, 23}, Tokens{20, 20, 20, 21},
                              Tokens{20, 20, 20, 20}, Tokens{20, 21}, Tokens{20}})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Example example = pair_with(hard, words, seed);
      ASSERT_EQ(example.inputs.size(), 3 * (words.size() + 1));
      EXPECT_NE(passage(example, 2), passage(example, 1));
      EXPECT_EQ(example.labels.size(), 1u);
      const bool all_alike =
          std::ranges::all_of(words, [&](Token word) { return word == words[0]; });
      Tokens sorted = passage(example, 2);
      std::ranges::sort(sorted);
      if (!all_alike) {
        EXPECT_EQ(sorted, words) << "in another order";
      }
    }
}

TEST(Contrastive, RefusesSettingsThatSayNothing) {
  for (const Json& settings :
       {Json{{"augmentation", "crop"}}, Json{{"pairs", "dropout"}, {"augmentation_rate", 0.3}},
        Json{{"hard_negative_weight", 1}},
        Json{{"hard_negatives", "shuffled"}, {"directions", "all"}},
        Json{{"hard_negatives", "shuffled"}, {"segment", 11}}})
    EXPECT_THROW(objective_of("contrastive", settings, 64, 30), std::invalid_argument)
        << settings.dump();
}

TEST(Contrastive, StatesAnOptimumOfSegmentsInOneAndBothDirections) {
  const ObjectiveSpec& spec = spec_of("contrastive");
  const auto kind = [&](const Json& settings) {
    const Objective objective = objective_of("contrastive", settings, 64, 30);
    const OptimumKind kind = spec.optimum_kind(Params(spec.params, settings));
    EXPECT_EQ(kind == OptimumKind::exact, static_cast<bool>(objective.step_optimum));
    return kind;
  };
  EXPECT_EQ(kind(Json::object()), OptimumKind::exact);
  EXPECT_EQ(kind({{"directions", "both"}, {"pairs", "segments"}}), OptimumKind::exact);
  EXPECT_EQ(kind({{"directions", "all"}}), OptimumKind::none);
  EXPECT_EQ(kind({{"hard_negatives", "shuffled"}}), OptimumKind::none);
  EXPECT_EQ(kind({{"pairs", "dropout"}}), OptimumKind::none);
}

TEST(Contrastive, HasTheOptimumThatEnumerationGivesInBothDirections) {
  const std::vector<Tokens> texts = all_texts(2);
  const Chain chain = tiny_chain(3);
  const auto joint = [&](std::size_t a, std::size_t b) {
    return window_probability(chain, joined(texts[a], texts[b]));
  };
  const std::size_t firsts[] = {0, 5, 3, 8}, seconds[] = {2, 7, 7, 4};
  // P(first i belongs to second j), or the reverse, among the four of the step.
  const auto ratio = [&](std::size_t i, std::size_t j) {
    double a = 0, b = 0;
    for (std::size_t other = 0; other < texts.size(); ++other) {
      a += joint(firsts[i], other);
      b += joint(other, seconds[j]);
    }
    return joint(firsts[i], seconds[j]) / a / b;
  };
  std::vector<Example> examples(4);
  std::vector<MadeExample> step;
  const Text nothing;
  for (std::size_t i = 0; i < 4; ++i) {
    examples[i].inputs = {classify_token};
    for (const Token token : texts[firsts[i]]) examples[i].inputs.push_back(token);
    examples[i].inputs.push_back(classify_token);
    for (const Token token : texts[seconds[i]]) examples[i].inputs.push_back(token);
    examples[i].labels = {{.head = 0, .at = 0, .weight = 1, .partner = 3}};
    step.push_back({nothing, examples[i]});
  }
  const auto optima = [&](const Json& settings) {
    return objective_of("contrastive", settings, chain.ordinary, 32).step_optimum(chain, step);
  };
  const auto one = optima({{"segment", 2}}),
             both = optima({{"segment", 2}, {"directions", "both"}});
  for (std::size_t i = 0; i < 4; ++i) {
    double among_seconds = 0, among_firsts = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      among_seconds += ratio(i, j);
      among_firsts += ratio(j, i);
    }
    const double forward = std::log(among_seconds / ratio(i, i)),
                 backward = std::log(among_firsts / ratio(i, i));
    EXPECT_NEAR(one[i].total, forward, 1e-10);
    EXPECT_NEAR(both[i].total, (forward + backward) / 2, 1e-10);
  }
}

// Of labels, and not of classes, a ratio must be right to its factor: among pairs it is one on average.
TEST(Contrastive, NeighboursAreAsLikelyTogetherAsApartOnAverage) {
  const std::vector<Tokens> texts = all_texts(2);
  const Segments all(texts.begin(), texts.end());
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Chain chain = tiny_chain(seed);
    const std::vector<double> ratios = neighbour_ratios(chain, all, all);
    std::vector<double> joint, of_first(texts.size(), 0.0), of_second(texts.size(), 0.0);
    double pairs = 0;  // P(both segments are there)
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < texts.size(); ++j) {
        joint.push_back(window_probability(chain, joined(texts[i], texts[j])));
        of_first[i] += joint.back();
        of_second[j] += joint.back();
        pairs += joint.back();
      }
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < texts.size(); ++j) {
        const std::size_t at = i * texts.size() + j;
        EXPECT_NEAR(ratios[at], joint[at] * pairs / of_first[i] / of_second[j], 1e-10);
      }
  }
}

TEST(Contrastive, WithoutContextEveryClassIsAlike) {
  const Tokens words = running_words(12);
  const Text text{.tokens = words};
  const auto floor = [&](const Json& settings) {
    const Objective objective = objective_of("contrastive", settings, 64, 12);
    std::vector<Example> examples;
    for (std::uint64_t i = 0; i < 5; ++i)
      examples.push_back(objective.transform(text, Rng(i)).front());
    std::vector<MadeExample> step;
    for (const Example& example : examples) step.push_back({text, example});
    return objective.step_context_free(step).front().total;
  };
  const Json views = {{"pairs", "dropout"}, {"segment", 4}};
  const auto with = [&](Json more) {
    more.update(views);
    return more;
  };
  EXPECT_DOUBLE_EQ(floor(views), std::log(5.0));
  EXPECT_DOUBLE_EQ(floor(with({{"directions", "both"}})), std::log(5.0));
  EXPECT_DOUBLE_EQ(floor(with({{"directions", "all"}})), std::log(9.0));
  EXPECT_DOUBLE_EQ(floor(with({{"hard_negatives", "shuffled"}})), std::log(10.0));
  EXPECT_DOUBLE_EQ(floor(with({{"hard_negatives", "shuffled"}, {"directions", "both"}})),
                   (std::log(5.0) + std::log(10.0)) / 2);
}

}  // namespace
}  // namespace ablate::objectives
