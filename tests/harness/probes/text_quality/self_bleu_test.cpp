#include "harness/probes/text_quality/self_bleu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

TEST(SelfBleu, IsOneForEqualTextsAndNearZeroForUnlikeOnes) {
  EXPECT_DOUBLE_EQ(self_bleu(Texts(5, {16, 17, 18, 19, 20})), 1);
  EXPECT_LT(self_bleu(Texts{{16, 17, 18, 19, 20}, {26, 27, 28, 29, 30}}), 0.1);
  EXPECT_EQ(self_bleu(Texts{{16}}), 0);
}

TEST(SelfBleu, DoesNotDependOnOrderOrSpecialIds) {
  Texts texts;
  Rng rng(1);
  for (int i = 0; i < 8; ++i) {
    texts.emplace_back();
    for (int t = 0; t < 12; ++t) texts.back().push_back(16 + static_cast<Token>(rng.below(4)));
  }
  const double before = self_bleu(texts);
  std::reverse(texts.begin(), texts.end());
  for (auto& text : texts) text.insert(text.begin(), begin_token);
  EXPECT_NEAR(self_bleu(texts), before, 1e-12);
}

// By hand: each text shares 3 of its 4 tokens, 2 of 3 pairs, 1 of 2 triples and none of its one
// run of four, which counts .1.
TEST(SelfBleu, IsThatOfAHandMadeCase) {
  const double expected = std::pow(3.0 / 4 * 2.0 / 3 * 1.0 / 2 * 0.1, 0.25);
  EXPECT_NEAR(self_bleu(Texts{{16, 17, 18, 19}, {16, 17, 18, 20}}), expected, 1e-12);
}

// The other is longer: 1 - 8 / 4 in the exponent.
TEST(SelfBleu, PenalisesShortTexts) {
  const Texts texts = {{16, 17, 18, 19}, {16, 17, 18, 19, 16, 17, 18, 19}};
  const double longer = std::pow(4.0 / 8 * 3.0 / 7 * 2.0 / 6 * 1.0 / 5, 0.25);
  EXPECT_NEAR(self_bleu(texts), (std::exp(-1.0) + longer) / 2, 1e-12);
}

}  // namespace
}  // namespace ablate::probes
