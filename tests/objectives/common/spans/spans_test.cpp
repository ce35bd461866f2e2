// Counts and positions of spans, independent of the objectives that use them.

#include "objectives/common/spans/spans.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "tests/objectives/spans.h"

namespace ablate::objectives {
namespace {

using Runs = std::vector<std::int64_t>;

TEST(Spans, FitTextsToInputsAsTheReferenceDoes) {
  const Json file = vectors("t5_lengths.json");
  ASSERT_EQ(file["cases"].size(), 21u);
  for (const Json& one : file["cases"]) {
    const FittingLengths lengths =
        fitting_lengths(one["inputs_length"], one["noise_density"], one["mean_span_length"]);
    EXPECT_EQ(lengths.tokens, one["tokens_length"]) << one;
    EXPECT_EQ(lengths.targets, one["targets_length"]) << one;
    const Noise noise = noise_of(lengths.tokens, one["noise_density"], one["mean_span_length"]);
    EXPECT_EQ(noise.tokens, one["noise_tokens"]) << one;
    EXPECT_EQ(noise.spans, one["noise_spans"]) << one;
  }
}

TEST(Spans, CountInFloatsWithHalvesToTheEvenNeighbour) {
  const Json file = vectors("span_corruption.json");
  ASSERT_GT(file["counts"].size(), 40u);
  for (const Json& one : file["counts"]) {
    const Noise noise = noise_of(one["tokens"], one["noise_density"], one["mean_span_length"]);
    EXPECT_EQ(noise.tokens, one["noise_tokens"]) << one;
    EXPECT_EQ(noise.spans, one["noise_spans"]) << one;
  }
}

TEST(Spans, KeepATokenBeforeEachAndHideOneAtLeast) {
  for (const double density : {0.01, 0.15, 0.5, 0.9, 0.99})
    for (const double mean : {1.0, 3.0, 64.0})
      for (std::int64_t tokens = 2; tokens <= 1024; ++tokens) {
        const Noise noise = noise_of(tokens, density, mean);
        ASSERT_GE(noise.tokens, 1);
        ASSERT_LT(noise.tokens, tokens);
        ASSERT_GE(noise.spans, 1);
        ASSERT_LE(noise.spans, std::min(noise.tokens, tokens - noise.tokens));
      }
  EXPECT_EQ(noise_of(1, 0.5, 1).tokens + noise_of(0, 0.5, 1).tokens, 0);
}

TEST(Spans, SpliceAsTheVectorsDo) {
  const Json file = vectors("span_corruption.json");
  ASSERT_EQ(file["examples"].size(), 6u);
  const Vocabulary vocabulary{.ordinary = 974, .sentinels = 10};  // 999 is the last id
  for (const Json& one : file["examples"]) {
    const auto tokens = one["text"].get<std::vector<Token>>();
    std::vector<Span> spans;
    for (const Json& span : one["hidden_spans"]) spans.push_back({span[0], span[1]});
    const Text text{.tokens = tokens};
    const std::vector<Part> parts = parts_of(text);
    ASSERT_EQ(parts.size(), 1u);
    const Example example = corrupted(text, parts[0], spans, vocabulary);
    EXPECT_EQ(example.inputs, one["inputs"].get<std::vector<Token>>()) << one["what"];
    EXPECT_EQ(example.targets, one["targets"].get<std::vector<Token>>()) << one["what"];
    EXPECT_EQ(spliced(example, 990), tokens) << one["what"];
  }
}

TEST(Spans, FindThePartsOfAText) {
  constexpr Token b = begin_token, e = end_token, m = mask_token;
  const std::vector<Token> tokens = {16, e, b, 17, 18, e, b, e, m, 19, m, m, 20, m, b};
  std::vector<std::vector<std::size_t>> found;
  for (const Part& part : parts_of({.tokens = tokens}))
    found.push_back({part.first, part.count, part.own_first, part.own_count});
  using testing::ElementsAre;
  ASSERT_EQ(found.size(), 6u);
  EXPECT_THAT(found[0], ElementsAre(0, 2, 0, 1));
  EXPECT_THAT(found[1], ElementsAre(2, 4, 3, 2));
  EXPECT_THAT(found[2], ElementsAre(6, 2, 0, 0));
  EXPECT_THAT(found[3], ElementsAre(8, 4, 9, 1));  // its marks on both sides
  EXPECT_THAT(found[4], ElementsAre(12, 2, 12, 1));
  EXPECT_THAT(found[5], ElementsAre(14, 1, 0, 0));
  EXPECT_TRUE(parts_of({}).empty());
}

/// All ways to write `total` as `parts` numbers of at least one.
void each_composition(std::int64_t total, std::int64_t parts, Runs so_far,
                      const std::function<void(const Runs&)>& visit) {
  if (parts == 0) {
    if (total == 0) visit(so_far);
    return;
  }
  for (std::int64_t length = 1; length <= total; ++length) {
    so_far.push_back(length);
    each_composition(total - length, parts - 1, so_far, visit);
    so_far.pop_back();
  }
}

/// The alternating lengths of kept and hidden runs, which identify a mask that starts with a kept
/// token.
Runs mask_of(const std::vector<Span>& spans) {
  Runs mask;
  std::int64_t at = 0;
  for (const Span& span : spans) {
    mask.insert(mask.end(), {span.first - at, span.count});
    at = span.first + span.count;
  }
  return mask;
}

struct Distribution {
  const char* name;
  SpanSettings settings;
  std::function<double(std::int64_t)> weight;
};

std::vector<Distribution> distributions(double density, double mean) {
  const auto flat = [](std::int64_t) { return 1.0; };
  const auto poisson = [](std::int64_t k) { return 1 / std::tgamma(static_cast<double>(k) + 1); };
  // Lengths 1, 2, ... with success probability 1 / mean; lengths from 3 on count as 3.
  const auto geometric = [mean](std::int64_t k) {
    const double stay = 1 - 1 / mean;
    return k > 3 ? 0 : std::pow(stay, static_cast<double>(k - 1)) / (k < 3 ? mean : 1);
  };
  return {{"composition", {.density = density, .mean = mean}, flat},
          {"poisson",
           {.density = density, .mean = mean, .distribution = LengthDistribution::poisson},
           poisson},
          {"geometric",
           {.density = density,
            .mean = mean,
            .distribution = LengthDistribution::geometric,
            .longest = 3},
           geometric}};
}

TEST(Spans, DrawEveryMaskAsOftenAsItsLawSays) {
  struct Case {
    std::int64_t tokens;
    double density, mean;
  };
  constexpr int kDraws = 20000;
  for (const Case& one : {Case{10, .4, 2}, {12, .5, 2}, {9, .6, 2.5}, {8, .3, 1}, {14, .35, 2}})
    for (const Distribution& distribution : distributions(one.density, one.mean)) {
      if (distribution.settings.distribution == LengthDistribution::geometric && one.mean == 1)
        continue;  // only one length
      const SpanNoise noise("test", distribution.settings, one.tokens);
      const Noise counts = noise.counts(one.tokens);
      std::map<Runs, double> expected;
      double total = 0;
      each_composition(counts.tokens, counts.spans, {}, [&](const Runs& hidden) {
        each_composition(one.tokens - counts.tokens, counts.spans, {}, [&](const Runs& kept) {
          Runs mask;
          double weight = 1;
          for (std::size_t i = 0; i < kept.size(); ++i) {
            mask.insert(mask.end(), {kept[i], hidden[i]});
            weight *= distribution.weight(hidden[i]);
          }
          if (weight > 0) expected[mask] = weight;
          total += weight;
        });
      });
      std::map<Runs, double> drawn;
      for (std::uint64_t i = 0; i < kDraws; ++i) ++drawn[mask_of(noise.draw(one.tokens, Rng(i)))];
      double chi_squared = 0;
      for (const auto& [mask, weight] : expected) {
        const double mean = kDraws * weight / total;
        chi_squared += (drawn[mask] - mean) * (drawn[mask] - mean) / mean;
      }
      EXPECT_EQ(drawn.size(), expected.size()) << distribution.name << " drew what it may not";
      const double freedom = static_cast<double>(expected.size()) - 1;
      EXPECT_LT(chi_squared, freedom + 5 * std::sqrt(2 * freedom) + 5)
          << distribution.name;  // 5 sigma
    }
}

TEST(Spans, HaveLengthsCloseToGeometricWhereAllMasksAreEquallyLikely) {
  // The reference's distribution at 568 tokens: 85 hidden in 28 spans.
  const SpanNoise noise("test", {}, 568);
  std::map<std::int64_t, double> drawn;
  constexpr int kTexts = 2000;
  for (std::uint64_t i = 0; i < kTexts; ++i)
    for (const Span& span : noise.draw(568, Rng(i))) ++drawn[span.count];
  constexpr double kSpans = 28.0 * kTexts;
  const double probability[] = {.321, .222, .150, .102, .070, .046};
  for (std::int64_t length = 1; length <= 6; ++length) {
    const double p = probability[length - 1];  // known to .0005; lengths in a text are correlated
    EXPECT_NEAR(drawn[length] / kSpans, p, 5 * std::sqrt(p / kSpans) + .0005) << length;
  }
}

/// The fraction of texts in which each position is hidden.
std::vector<double> hidden_fraction(const SpanSettings& settings, std::int64_t tokens, int texts) {
  const SpanNoise noise("test", settings, tokens);
  std::vector<double> fraction(static_cast<std::size_t>(tokens), 0.0);
  for (int i = 0; i < texts; ++i)
    for (const Span& span : noise.draw(tokens, Rng(static_cast<std::uint64_t>(i))))
      for (std::int64_t at = span.first; at < span.first + span.count; ++at)
        fraction[static_cast<std::size_t>(at)] += 1.0 / texts;
  return fraction;
}

TEST(Spans, NeverHideTheFirstTokenAndAlwaysTheLast) {
  for (const double mean : {1.0, 3.0, 8.0}) {
    const auto fraction = hidden_fraction({.mean = mean}, 64, 200);
    EXPECT_EQ(fraction.front(), 0);
    EXPECT_NEAR(fraction.back(), 1, 1e-9);
  }
}

TEST(Spans, HideAllPositionsAlikeWhereRolled) {
  constexpr int kTexts = 20000;
  for (const double mean : {3.0, 8.0}) {
    const auto fraction = hidden_fraction({.density = .25, .mean = mean, .roll = true}, 32, kTexts);
    for (const double one : fraction)
      EXPECT_NEAR(one, .25, 5 * std::sqrt(.25 * .75 / kTexts)) << mean;  // 5 sigma
  }
}

TEST(Spans, HideTheExactCountInEveryTextHoweverLongTheMean) {
  // A mean of 39 and more leaves a span of one token a probability below 1e-15.
  for (const double mean : {1.0, 3.0, 38.0, 39.0, 100.0, 512.0}) {
    const SpanSettings settings{.mean = mean, .distribution = LengthDistribution::poisson};
    const SpanNoise noise("test", settings, 600);
    for (std::int64_t tokens = 0; tokens <= 600; ++tokens) {
      const Noise counts = noise.counts(tokens), exact = noise_of(tokens, settings.density, mean);
      EXPECT_EQ(counts.tokens, exact.tokens) << mean << ", " << tokens;
      EXPECT_EQ(counts.spans, exact.spans) << mean << ", " << tokens;
      std::int64_t hidden = 0;
      for (const Span& span : noise.draw(tokens, Rng(1))) hidden += span.count;
      EXPECT_EQ(hidden, exact.tokens) << mean << ", " << tokens;
    }
  }
}

TEST(Spans, HideMoreSpansOrLessOfAShortTextThanALawCanGive) {
  const SpanNoise noise(
      "test",
      {.density = .9, .mean = 10, .distribution = LengthDistribution::geometric, .longest = 10},
      40);
  EXPECT_EQ(noise.counts(40).tokens, 36);  // 4 kept tokens, spans of 10 and less
  EXPECT_EQ(noise.counts(40).spans, 4);
  EXPECT_EQ(noise.counts(13).tokens, 11);  // 12 in one span are too many: keeps one more token
  EXPECT_EQ(noise.counts(13).spans, 2);
  for (std::int64_t tokens = 0; tokens <= 40; ++tokens) {
    const Noise counts = noise.counts(tokens);
    for (const Span& span : noise.draw(tokens, Rng(1))) EXPECT_LE(span.count, 10);
    EXPECT_EQ(counts.tokens > 0, tokens > 1);
  }
}

}  // namespace
}  // namespace ablate::objectives
