// Entropies that can be counted by hand, and curves of two points.

#include "harness/probes/generation/equal_entropy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

TEST(TokenEntropy, CountsOrdinaryTokensOverAllTexts) {
  EXPECT_EQ(token_entropy(Texts{}), 0);
  EXPECT_EQ(token_entropy(Texts{{begin_token, 20, end_token}, {20, 20}}), 0);
  EXPECT_NEAR(token_entropy(Texts{{begin_token, 20, 21}, {22, 23, end_token}}), std::log(4), 1e-12);
  EXPECT_NEAR(token_entropy(Texts{{20, 20, 20, 21}}),
              -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-12);
}

TEST(EntropyWithinTexts, IsThatOfEachTextOnItsOwn) {
  EXPECT_EQ(entropy_within(Texts{}), 0);
  EXPECT_NEAR(entropy_within(Texts{{begin_token, 20, 21}, {22, 23, 24, 25}, {end_token}}),
              (std::log(2) + std::log(4)) / 2, 1e-12);
}

// What the entropy of all tokens together cannot see: each text repeats another token.
TEST(EntropyWithinTexts, IsZeroOfTextsThatEachRepeatOneToken) {
  const Texts repeating = {{20, 20, 20}, {21, 21, 21}, {22, 22, 22}, {23, 23, 23}};
  EXPECT_NEAR(token_entropy(repeating), std::log(4), 1e-12);
  EXPECT_EQ(entropy_within(repeating), 0);
}

TEST(ValueAtEntropy, IsInterpolatedBetweenTheTemperaturesThatEncloseIt) {
  const std::vector<EntropyPoint> curve = {{0.5, -1, 1.0}, {1, -2, 2.0}, {2, -6, 4.0}};
  EXPECT_NEAR(value_at(curve, 1.25).value(), -1.25, 1e-12);
  EXPECT_NEAR(value_at(curve, 3).value(), -4, 1e-12);
  EXPECT_NEAR(value_at(curve, 2).value(), -2, 1e-12);
  EXPECT_FALSE(value_at(curve, 0.9).has_value());
  EXPECT_FALSE(value_at(curve, 4.1).has_value());
  EXPECT_FALSE(value_at(std::vector<EntropyPoint>{{1, -2, 2}}, 2).has_value());
}

TEST(ValueAtEntropy, LeavesOutWhatIsNotFinite) {
  EXPECT_FALSE(
      value_at(std::vector<EntropyPoint>{{0.5, std::nan(""), 1}, {1, -2, 2}}, 1.5).has_value());
}

}  // namespace
}  // namespace ablate::probes
