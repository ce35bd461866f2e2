#include "harness/statistics/paired/wilcoxon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/ranks.h"
#include "harness/statistics/paired/sign_flip.h"
#include "tests/harness/statistics/reference_values.h"

namespace ablate::statistics {
namespace {

TEST(Wilcoxon, AgreesWithTheReference) {
  const SignedRank result = wilcoxon(kImprovements);
  EXPECT_EQ(result.w, 0);
  EXPECT_EQ(result.p, .0625);
}

TEST(Wilcoxon, IsTheSignFlipTestOfTheRanks) {
  Rng rng(1);
  for (int run = 0; run < 200; ++run) {
    // Multiples of a tenth, so that there are ties and zeros.
    std::vector<double> differences(static_cast<std::size_t>(1 + run % 12));
    for (double& value : differences) value = static_cast<double>(rng.below(13) - 5) / 10;
    std::vector<double> left = differences, sizes;
    std::erase(left, 0);
    for (const double value : left) sizes.push_back(std::abs(value));
    std::vector<double> ranks = midranks(sizes);
    for (std::size_t i = 0; i < left.size(); ++i) ranks[i] = std::copysign(ranks[i], left[i]);
    EXPECT_NEAR(wilcoxon(differences).p, sign_flip_p(ranks), 1e-12);
  }
}

TEST(Wilcoxon, KnowsOnlySignsAndOrder) {
  const std::vector<double> values = {-1, 2, 3, -4, 5, 6}, others = {-.1, 3, 100, -101, 102, 1e6};
  EXPECT_EQ(wilcoxon(values).p, wilcoxon(others).p);
  EXPECT_EQ(wilcoxon(values).w, 5);
}

TEST(Wilcoxon, OfManyDifferencesStaysExact) {
  const std::vector<double> agree(kMaxSignedRanks, 1.0);
  EXPECT_NEAR(wilcoxon(agree).p / minimum_sign_flip_p(kMaxSignedRanks), 1, 1e-9);
  EXPECT_EQ(wilcoxon({}).p, 1);
  EXPECT_EQ(wilcoxon(std::vector<double>(6, 0.0)).p, 1);
}

}  // namespace
}  // namespace ablate::statistics
