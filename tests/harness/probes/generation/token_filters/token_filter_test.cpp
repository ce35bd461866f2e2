// What the filters of token distributions keep.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/probes/generation/token_filters/greedy.h"
#include "harness/probes/generation/token_filters/top_k.h"
#include "harness/probes/generation/token_filters/top_p.h"

namespace ablate::probes {
namespace {

constexpr Vocabulary kFive{.ordinary = 5};

/// Softmax of these logits of ordinary ids.
TokenDistribution distribution_of(const std::vector<float>& ordinary) {
  std::vector<float> logits(special_count, -50);
  logits.insert(logits.end(), ordinary.begin(), ordinary.end());
  return token_distribution(logits, kFive, false, 1);
}

std::vector<double> kept(const TokenFilter& filter, TokenDistribution distribution) {
  filter(distribution);
  std::vector<double> probabilities;
  double sum = 0;
  for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
    probabilities.push_back(distribution.probability(i));
    sum += probabilities.back();
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  return probabilities;
}

const std::vector<float> kLogits = {0, 1, 3, 2, 1};  // the second and the last are equal

TEST(TokenFilters, GreedyIsTopKOfOneAndANucleusOfNearlyNothing) {
  const auto one = kept(greedy(), distribution_of(kLogits));
  EXPECT_EQ(one, (std::vector<double>{0, 0, 1, 0, 0}));
  EXPECT_EQ(kept(top_k(1), distribution_of(kLogits)), one);
  EXPECT_EQ(kept(top_p(1e-6), distribution_of(kLogits)), one);
}

TEST(TokenFilters, KeepAllWhereNothingIsToBeLeftOut) {
  const TokenDistribution all = distribution_of(kLogits);
  std::vector<double> before;
  for (std::size_t i = 0; i < all.masses.size(); ++i) before.push_back(all.probability(i));
  EXPECT_EQ(kept(top_k(5), all), before);
  EXPECT_EQ(kept(top_k(100), all), before);
  EXPECT_EQ(kept(top_p(1), all), before);
}

TEST(TokenFilters, TopKKeepsTheMostProbableInTheirProportion) {
  const auto three = kept(top_k(3), distribution_of(kLogits));
  EXPECT_EQ(three[0], 0);
  EXPECT_EQ(three[4], 0) << "of equally probable tokens the first is kept";
  EXPECT_NEAR(three[2] / three[3], std::exp(1.0), 1e-9);
  EXPECT_NEAR(three[3] / three[1], std::exp(1.0), 1e-9);
}

TEST(TokenFilters, ANucleusIsTheSmallestSetOfItsMass) {
  const TokenDistribution all = distribution_of(kLogits);
  for (const double p : {.05, .3, .6, .64, .7, .85, .9, .95, .99, .999}) {
    const auto nucleus = kept(top_p(p), all);
    double mass = 0, least = 1;
    for (std::size_t i = 0; i < nucleus.size(); ++i)
      if (nucleus[i] > 0) {
        mass += all.probability(i);
        least = std::min(least, all.probability(i));
      }
    EXPECT_GE(mass, p - 1e-12);
    EXPECT_LT(mass - least, p) << "without its least probable token it would be too small";
  }
}

}  // namespace
}  // namespace ablate::probes
