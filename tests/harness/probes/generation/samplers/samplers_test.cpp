// Laws of the samplers, on languages whose texts can all be counted. Seeds are fixed; a fit is rejected
// below a p of .001, which an exact sampler has for one seed in a thousand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "tests/harness/probes/generation/samplers/few_texts.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr double kRejected = 0.001;
constexpr std::size_t kTexts = 6000;

/// Texts of 0 to 3 of two tokens: 15.
FewTexts open_language(std::uint64_t seed) { return {2, 0, 3, seed}; }
constexpr std::size_t kLongest = 5;  // with begin and end token

/// Texts of 3 of three tokens: 27.
FewTexts closed_language(std::uint64_t seed) { return {3, 3, 3, seed}; }

std::vector<UnfinishedText> starts(std::size_t count) {
  return std::vector<UnfinishedText>(count, {{begin_token}, 1});
}

std::vector<UnfinishedText> masks(std::size_t count) {
  return std::vector<UnfinishedText>(count, FewTexts::masked(3));
}

TEST(Samplers, StandInAlphabeticalOrderAndSayWhatTheyAre) {
  std::string_view last;
  for (const SamplerSpec& spec : sampler_specs()) {
    EXPECT_LT(last, spec.name);
    EXPECT_GE(spec.summary.size(), 20u) << spec.name;
    EXPECT_GE(spec.source.size(), 15u) << spec.name;
    EXPECT_NE(spec.generation, Generation::none) << spec.name;
    EXPECT_NE(spec.draw, nullptr) << spec.name;
    for (const Param& param : spec.params)
      EXPECT_FALSE(param.default_value.is_null()) << param.name;
    last = spec.name;
  }
}

TEST(Samplers, FinishEveryTextAndKeepWhatWasGiven) {
  const FewTexts open = open_language(3), closed = closed_language(3);
  for (const SamplerSpec& spec : sampler_specs()) {
    const bool ancestral = spec.generation == Generation::ancestral;
    const UnfinishedText prompt =
        ancestral ? UnfinishedText{{begin_token, special_count}, 2}
                  : UnfinishedText{
                        {begin_token, special_count + 1, mask_token, mask_token, end_token}, 2};
    const auto samples = drawn(spec.name, (ancestral ? open : closed).source(spec.generation),
                               std::vector(5, prompt), kLongest);
    ASSERT_EQ(samples.size(), 5u) << spec.name;
    for (const Sample& sample : samples) {
      EXPECT_EQ(sample.given, 2u) << spec.name;
      EXPECT_TRUE(
          std::equal(prompt.tokens.begin(), prompt.tokens.begin() + 2, sample.tokens.begin()));
      EXPECT_TRUE((ancestral ? open : closed).texts().contains(sample.tokens)) << spec.name;
    }
  }
}

TEST(Samplers, AreKeyedBySeedAndDeterministicOnesByNothing) {
  const FewTexts open = open_language(5), closed = closed_language(5);
  for (const SamplerSpec& spec : sampler_specs()) {
    const bool ancestral = spec.generation == Generation::ancestral;
    const auto texts_of_seed = [&](std::uint64_t seed, double temperature) {
      std::vector<FewTexts::Text> texts;
      for (const Sample& sample :
           drawn(spec.name, (ancestral ? open : closed).source(spec.generation, seed, temperature),
                 ancestral ? starts(30) : masks(30), kLongest))
        texts.push_back(sample.tokens);
      return texts;
    };
    EXPECT_EQ(texts_of_seed(1, 1), texts_of_seed(1, 1)) << spec.name;
    EXPECT_EQ(texts_of_seed(1, 1) == texts_of_seed(2, 1), spec.deterministic) << spec.name;
    EXPECT_EQ(texts_of_seed(1, 1) == texts_of_seed(1, 3), spec.deterministic) << spec.name;
  }
}

TEST(Samplers, DrawEachTextWhateverOthersAreDrawn) {
  const FewTexts open = open_language(7), closed = closed_language(7);
  for (const SamplerSpec& spec : sampler_specs()) {
    const bool ancestral = spec.generation == Generation::ancestral;
    const TokenSource source = (ancestral ? open : closed).source(spec.generation);
    const auto few = drawn(spec.name, source, ancestral ? starts(3) : masks(3), kLongest);
    const auto many = drawn(spec.name, source, ancestral ? starts(150) : masks(150), kLongest);
    for (std::size_t i = 0; i < few.size(); ++i)
      EXPECT_EQ(few[i].tokens, many[i].tokens) << spec.name;
  }
}

TEST(Ancestral, DrawsEveryTextAsOftenAsItsProbability) {
  const FewTexts language = open_language(11);
  const auto samples =
      drawn("ancestral", language.source(Generation::ancestral), starts(kTexts), kLongest);
  EXPECT_GT(fit(language, samples), kRejected);
  for (const Sample& sample : samples)
    ASSERT_NEAR(sample.log_probability, std::log(language.texts().at(sample.tokens)), 1e-5);
}

TEST(Unmasking, DrawsEveryTextAsOftenAsItsProbabilityInEveryOrder) {
  const FewTexts language = closed_language(13);
  const TokenSource source = language.source(Generation::unmasking);
  for (const char* sampler : {"random_order", "left_to_right", "confidence_order"}) {
    for (const std::size_t block : {std::size_t{0}, std::size_t{2}}) {
      TokenSource blocks = source;  // <begin> and one token, then two
      blocks.block = block;
      EXPECT_GT(fit(language, drawn(sampler, blocks, masks(kTexts))), kRejected)
          << sampler << block;
    }
    EXPECT_LT(fit(language, drawn(sampler, source, masks(kTexts), 0, Json::object(), 1)), 1e-6)
        << sampler << ": all at once they are drawn from their marginals, which the test must see";
  }
}

TEST(SemiAutoregressive, DrawsEveryTextAsOftenAsItsProbability) {
  const FewTexts language = closed_language(17);
  const TokenSource source = language.source(Generation::unmasking);
  for (const char* order : {"random", "confidence"})
    for (const int block : {1, 2, 3}) {
      const Json options = {{"block", block}, {"order", order}};
      EXPECT_GT(fit(language, drawn("semi_autoregressive", source, masks(kTexts), 0, options)),
                kRejected)
          << order << block;
    }
}

TEST(Unmasking, FillsTheSurestMaskFirst) {
  // The last token is certain, the first nearly so.
  const Vocabulary two{.ordinary = 2};
  std::vector<std::vector<std::size_t>> asked;
  const TokenSource source{
      .predict =
          [&](std::span<const std::span<const Token>>, std::span<const Place> places) {
            std::vector<float> logits;
            std::vector<std::size_t>& positions = asked.emplace_back();
            for (const Place& place : places) {
              positions.push_back(place.position);
              const float sure[] = {0, 2, 1, 9};
              logits.resize(logits.size() + special_count, -50.0f);
              logits.push_back(sure[place.position]);
              logits.push_back(0);
            }
            return logits;
          },
      .vocabulary = two,
      .rng = Rng(1)};
  drawn("confidence_order", source, {FewTexts::masked(3)});
  EXPECT_EQ(asked, (std::vector<std::vector<std::size_t>>{{1, 2, 3}, {1, 2}, {2}}));
}

TEST(Gibbs, HasTheLanguageAsItsStationaryDistribution) {
  const FewTexts language = closed_language(17);
  const auto samples = drawn("gibbs", language.source(Generation::unmasking), masks(kTexts), 0,
                             {{"burn_in", 5}, {"thinning", 5}, {"per_chain", kTexts}});
  EXPECT_GT(fit(language, samples), kRejected);
}

TEST(Gibbs, KeepsTheDistributionOverIndependentChains) {
  const FewTexts language = closed_language(19);
  const TokenSource source = language.source(Generation::unmasking);
  EXPECT_GT(fit(language, drawn("gibbs", source, masks(kTexts), 0, {{"burn_in", 3}})), kRejected);
}

TEST(Gibbs, ReadsAChainAfterEveryThinningAndGivesItsTextsOnePrompt) {
  const FewTexts language = closed_language(23);
  std::vector<UnfinishedText> texts = masks(4);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i].tokens[1] = static_cast<Token>(static_cast<std::size_t>(special_count) + i % 3);
    texts[i].given = 2;
  }
  const TokenSource source = language.source(Generation::unmasking);
  const auto run = [&](std::int64_t burn_in, std::int64_t thinning) {
    return drawn("gibbs", source, texts, 0,
                 {{"burn_in", burn_in}, {"thinning", thinning}, {"per_chain", 2}});
  };
  const auto samples = run(4, 3);
  EXPECT_EQ(samples[0].tokens[1], samples[1].tokens[1]);
  EXPECT_EQ(samples[2].tokens[1], special_count + 2);
  EXPECT_EQ(samples[3].tokens[1], special_count + 2);
  EXPECT_EQ(samples[1].tokens, run(7, 1)[0].tokens) << "after 4 + 3 passes, as after 7";
}

/// The text of the best score, by looking at all of them.
FewTexts::Text best_text(const FewTexts& language, double alpha) {
  FewTexts::Text best;
  double highest = -1e300;
  for (const auto& [text, probability] : language.texts()) {
    const double tokens = static_cast<double>(text.size() - 1);
    const double score = std::log(probability) / std::pow((5 + tokens) / 6, alpha);
    if (score > highest) best = text;
    highest = std::max(highest, score);
  }
  return best;
}

TEST(Beam, WithRoomForAllTextsFindsTheBestOne) {
  int shorter = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const FewTexts language = open_language(seed);
    for (const double alpha : {0.0, 0.6, 3.0})
      EXPECT_EQ(drawn("beam", language.source(Generation::ancestral), starts(1), kLongest,
                      {{"width", 15}, {"length_penalty", alpha}})
                    .front()
                    .tokens,
                best_text(language, alpha))
          << seed << " " << alpha;
    shorter += best_text(language, 0).size() < best_text(language, 3).size();
  }
  EXPECT_GT(shorter, 0) << "the penalty must matter for one of the languages";
}

TEST(Beam, OfWidthOneIsGreedyAndAWiderOneCanBeBetter) {
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const FewTexts language = open_language(seed);
    const TokenSource source = language.source(Generation::ancestral);
    const Sample greedy = drawn("greedy", source, starts(1), kLongest).front();
    EXPECT_NEAR(greedy.log_probability, std::log(language.texts().at(greedy.tokens)), 1e-5);
    for (const double alpha : {0.0, 0.6}) {
      const Sample one =
          drawn("beam", source, starts(1), kLongest, {{"width", 1}, {"length_penalty", alpha}})
              .front();
      EXPECT_EQ(one.tokens, greedy.tokens) << seed;
      EXPECT_EQ(one.log_probability, greedy.log_probability) << seed;
    }
    const Sample wide = drawn("beam", source, starts(1), kLongest, {{"width", 3}}).front();
    better += wide.log_probability > greedy.log_probability + 1e-9;
  }
  EXPECT_GT(better, 0);
}

TEST(Beam, KeepsWhatHasNotEndedAtTheMaximumLength) {
  const FewTexts language(2, 3, 3, 1);  // no text is shorter than 3
  const auto cut = drawn("beam", language.source(Generation::ancestral), starts(2), 3).front();
  EXPECT_EQ(cut.tokens.size(), 3u);
  EXPECT_NE(cut.tokens.back(), end_token);
  const UnfinishedText full{{begin_token, special_count, special_count}, 3};
  EXPECT_EQ(drawn("beam", language.source(Generation::ancestral), {full}, 3).front().tokens,
            full.tokens);
}

TEST(Remasking, DrawsEveryTextAsOftenAsItsProbabilityInSmallSteps) {
  const FewTexts language = closed_language(17);
  const TokenSource source = language.source(Generation::unmasking);
  for (const double rate : {0.0, 0.05})
    EXPECT_GT(fit(language, drawn("remasking", source, masks(kTexts), 0,
                                  {{"iterations", 400}, {"rate", rate}})),
              kRejected)
        << rate;
  EXPECT_LT(fit(language, drawn("remasking", source, masks(kTexts), 0, {{"iterations", 1}})), 1e-6)
      << "all at once they are drawn from their marginals";
}

TEST(Remasking, FillsAPlaceAsOftenAsItWasHidden) {
  const FewTexts language = closed_language(37);
  for (const double rate : {0.0, 0.2}) {
    TokenSource source = language.source(Generation::unmasking);
    double filled = 0;
    const Predict exact = source.predict;
    source.predict = [&](std::span<const std::span<const Token>> texts,
                         std::span<const Place> places) {
      filled += static_cast<double>(places.size());
      return exact(texts, places);
    };
    constexpr int kIterations = 20;
    drawn("remasking", source, masks(kTexts), 0, {{"iterations", kIterations}, {"rate", rate}});
    double expected = 1;  // and once more whenever a token was hidden
    for (int i = 1; i < kIterations; ++i) {
      const double kept = static_cast<double>(i) / kIterations;
      expected += kept * std::min(rate, (1 - kept - 1.0 / kIterations) / kept);
    }
    EXPECT_NEAR(filled / (3 * kTexts), expected, rate == 0 ? 1e-12 : 0.05) << rate;
  }
}

TEST(Remasking, DrawsMoreTokensTogetherTheMoreItHides) {
  // Two tokens that are always the same one: where both are drawn in one iteration, half of the texts are
  // wrong. An exact predictor errs in no other way, so that hiding tokens again does not help it.
  const Vocabulary two{.ordinary = 2};
  const TokenSource source{
      .predict =
          [](std::span<const std::span<const Token>> texts, std::span<const Place> places) {
            std::vector<float> logits;
            for (const Place& place : places) {
              const Token other = texts[place.document][3 - place.position];
              logits.resize(logits.size() + special_count, -50.0f);
              for (const Token token : {Token{special_count}, Token{special_count + 1}})
                logits.push_back(other == mask_token || other == token ? 0.0f : -50.0f);
            }
            return logits;
          },
      .vocabulary = two,
      .rng = Rng(1)};
  const auto wrong = [&](double rate) {
    int count = 0;
    for (const Sample& sample :
         drawn("remasking", source, std::vector<UnfinishedText>(kTexts, FewTexts::masked(2)), 0,
               {{"iterations", 16}, {"rate", rate}}))
      count += sample.tokens[1] != sample.tokens[2];
    return static_cast<double>(count) / kTexts;
  };
  EXPECT_NEAR(wrong(0), 1.0 / 32, 4 * std::sqrt(1.0 / 32 / kTexts));
  EXPECT_GT(wrong(0.3), 1.5 / 32);
}

TEST(Remasking, HidesAsManyPlacesAtEveryTimeAsWithoutIt) {
  const FewTexts language = closed_language(31);
  for (const double rate : {0.0, 0.1, 1.0}) {
    TokenSource source = language.source(Generation::unmasking);
    std::vector<double> hidden;
    const Predict exact = source.predict;
    source.predict = [&](std::span<const std::span<const Token>> texts,
                         std::span<const Place> places) {
      double masked = 0;
      for (const auto& text : texts) masked += static_cast<double>(masks_of(text).size());
      hidden.push_back(masked / static_cast<double>(3 * texts.size()));
      return exact(texts, places);
    };
    // One group of 64 texts in a time; its 192 places are hidden with probability t.
    drawn("remasking", source, masks(64), 0, {{"iterations", 10}, {"rate", rate}});
    ASSERT_EQ(hidden.size(), 10u);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      const double t = 1 - static_cast<double>(i) / 10;
      EXPECT_NEAR(hidden[i], t, 4.5 * std::sqrt(t * (1 - t) / 192) + 1e-12) << rate << " " << i;
    }
  }
}

/// The most probable token of every position given the masks alone.
FewTexts::Text most_probable_each(const FewTexts& language) {
  const UnfinishedText text = FewTexts::masked(3);
  const std::vector<std::span<const Token>> read = {text.tokens};
  FewTexts::Text best = text.tokens;
  for (std::size_t position = 1; position <= 3; ++position) {
    const std::vector<Place> place = {{0, position}};
    const auto logits = language.source(Generation::unmasking).predict(read, place);
    best[position] =
        static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  return best;
}

TEST(MaskPredict, InOneIterationTakesTheMostProbableTokenOfEveryPosition) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const FewTexts language = closed_language(seed);
    EXPECT_EQ(drawn("mask_predict", language.source(Generation::unmasking), masks(1), 0,
                    {{"iterations", 1}})
                  .front()
                  .tokens,
              most_probable_each(language));
  }
}

TEST(MaskPredict, HidesFewerTokensInEveryIterationAndTheLeastConfident) {
  const FewTexts language = closed_language(29);
  TokenSource source = language.source(Generation::unmasking);
  std::vector<std::size_t> hidden;
  const Predict exact = source.predict;
  source.predict = [&](std::span<const std::span<const Token>> texts,
                       std::span<const Place> places) {
    hidden.push_back(places.size());
    for (const Place& place : places) EXPECT_EQ(texts[0][place.position], mask_token);
    return exact(texts, places);
  };
  drawn("mask_predict", source, masks(1), 0, {{"iterations", 3}});
  EXPECT_EQ(hidden, (std::vector<std::size_t>{3, 2, 1}));
  hidden.clear();
  drawn("mask_predict", source, masks(1), 0, {{"iterations", 6}});
  EXPECT_EQ(hidden, (std::vector<std::size_t>{3, 2, 2, 1, 1})) << "3 (6 - t) / 6, rounded down";
}

// Confidence order never takes a token back, and mask-predict does; they must agree where what is there
// does not change how sure the model is of the rest: where tokens are independent.
TEST(MaskPredict, WithAnIterationForEveryTokenIsGreedyConfidenceOrderWhereTokensAreIndependent) {
  const Vocabulary three{.ordinary = 3};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TokenSource source{
        .predict =
            [seed](std::span<const std::span<const Token>>, std::span<const Place> places) {
              std::vector<float> logits;
              for (const Place& place : places) {
                logits.resize(logits.size() + special_count, -50.0f);
                Rng rng = Rng(seed).fork(place.position);
                for (int token = 0; token < 3; ++token)
                  logits.push_back(static_cast<float>(3 * rng.uniform()));
              }
              return logits;
            },
        .vocabulary = three,
        .rng = Rng(1)};
    const auto predicted = drawn("mask_predict", source, masks(1), 0, {{"iterations", 3}});
    source.temperature = 0.05;
    source.filter = [](TokenDistribution& distribution) {
      std::vector<std::uint8_t> kept;
      for (const double score : distribution.scores) kept.push_back(score == 0);
      distribution.keep(kept);
    };
    EXPECT_EQ(drawn("confidence_order", source, masks(1)).front().tokens, predicted.front().tokens);
  }
}

}  // namespace
}  // namespace ablate::probes
