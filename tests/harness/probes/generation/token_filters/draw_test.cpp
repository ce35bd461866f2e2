// Properties of one draw: it follows the distribution and returns only ids that occur in text.

#include "harness/probes/generation/token_filters/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

const Vocabulary kVocabulary{.ordinary = 3, .sentinels = 2};

std::vector<float> logits(float end, float a, float b, float c, float others = 0) {
  std::vector<float> values(static_cast<std::size_t>(kVocabulary.size()), others);
  values[end_token] = end;
  values[16] = a;
  values[17] = b;
  values[18] = c;
  return values;
}

TEST(DrawToken, FollowsTheDistribution) {
  const auto given = logits(std::log(1.f), std::log(2.f), std::log(3.f), std::log(4.f));
  std::vector<int> counts(static_cast<std::size_t>(kVocabulary.size()));
  Rng rng(5);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i)
    ++counts[static_cast<std::size_t>(
        draw_token(given, kVocabulary, true, 1, rng.uniform()).token)];
  // Largest standard deviation of a fraction: sqrt(.4 * .6 / 20000) = .0035; 4 of it.
  EXPECT_NEAR(counts[end_token] / double(kDraws), 0.1, 0.014);
  EXPECT_NEAR(counts[16] / double(kDraws), 0.2, 0.014);
  EXPECT_NEAR(counts[17] / double(kDraws), 0.3, 0.014);
  EXPECT_NEAR(counts[18] / double(kDraws), 0.4, 0.014);
}

TEST(DrawToken, NamesNoSpecialIdAndNoSentinelHoweverLikely) {
  const auto given = logits(50, 0, 0, 0, 50);
  for (const double uniform : {0.0, 0.3, 0.5, 0.999999, std::nextafter(1.0, 0.0)}) {
    const Draw draw = draw_token(given, kVocabulary, false, 1, uniform);
    EXPECT_TRUE(kVocabulary.is_ordinary(draw.token)) << uniform;
    EXPECT_NEAR(draw.log_probability, -std::log(3.0), 1e-12);
  }
}

TEST(DrawToken, StatesTheProbabilityThatItDrewWith) {
  const Draw draw = draw_token(logits(0, 0, 2, 0), kVocabulary, true, 2, 0.5);
  EXPECT_EQ(draw.token, 17);  // after the masses 1, e, 1 of the ordinary ids stands the end token's
  EXPECT_NEAR(draw.log_probability, 1 - std::log(3 + std::exp(1.0)), 1e-12);
}

TEST(DrawToken, RaisesProbabilitiesToTheInverseOfTheTemperature) {
  const auto given = logits(0, 0.5f, 2, -1);
  const TokenDistribution one = token_distribution(given, kVocabulary, true, 1);
  for (const double temperature : {0.1, 0.7, 1.3, 5.0}) {
    const TokenDistribution at = token_distribution(given, kVocabulary, true, temperature);
    double total = 0;
    for (std::size_t i = 0; i < one.masses.size(); ++i)
      total += std::pow(one.probability(i), 1 / temperature);
    for (std::size_t i = 0; i < one.masses.size(); ++i)
      EXPECT_NEAR(at.probability(i), std::pow(one.probability(i), 1 / temperature) / total, 1e-13);
  }
}

// Gumbel noise in single precision has no values beyond its 24 bits: rare tokens are drawn too seldom, as
// if the temperature were lower (Zheng et al. 2024, arXiv:2409.02908). In double they are not.
TEST(DrawToken, DrawsTokensThatAreTooRareForSinglePrecision) {
  const auto given = logits(-30, 0, -21, -30);  // the second has a probability of 7.6e-10
  const TokenDistribution distribution = token_distribution(given, kVocabulary, false, 1);
  const double rare = distribution.probability(1), last = distribution.probability(2);
  ASSERT_LT(rare, 1e-9);
  EXPECT_EQ(static_cast<float>(1 - last - rare / 2), 1.0f);
  EXPECT_EQ(draw_from(distribution, kVocabulary, 1 - last - rare / 2).token, 17);
  EXPECT_EQ(draw_from(distribution, kVocabulary, 1 - last - rare * 1.5).token, 16);
}

TEST(DrawToken, TakesTheLikeliestAsTheTemperatureFalls) {
  for (const double uniform : {0.001, 0.5, 0.999})
    EXPECT_EQ(draw_token(logits(0, 0, 1, 0), kVocabulary, true, 0.05, uniform).token, 17);
}

TEST(DrawToken, RefusesLogitsOfAModelThatDiverged) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(draw_token(logits(0, nan, 0, 0), kVocabulary, true, 1, 0.5), std::runtime_error);
  EXPECT_THROW(draw_token(logits(0, 0, nan, 0), kVocabulary, true, 1, 0.5), std::runtime_error);
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_THROW(draw_token(logits(0, inf, 0, 0), kVocabulary, true, 1, 0.5), std::runtime_error);
}

}  // namespace
}  // namespace ablate::probes
