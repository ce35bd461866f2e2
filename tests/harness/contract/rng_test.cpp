// The random generator: published values, independent streams and correct distributions.

#include "harness/base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace ablate {
namespace {

TEST(Rng, IsSplitMix64) {
  Rng rng(1234567);  // the published test values
  EXPECT_EQ(rng.next(), 6457827717110365317u);
  EXPECT_EQ(rng.next(), 3203168211198807973u);
  EXPECT_EQ(rng.next(), 9817491932198370423u);
}

TEST(Rng, CopiesItsPosition) {
  Rng rng(3);
  rng.next();
  Rng copy = rng;
  EXPECT_EQ(rng.next(), copy.next());
}

TEST(Rng, KeepsStreamsApart) {
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Stream stream :
         {Stream::initial_weights, Stream::data_order, Stream::corruption, Stream::dropout,
          Stream::probes, Stream::language, Stream::corpus, Stream::split})
      for (std::uint64_t step = 0; step < 4; ++step)
        for (std::uint64_t index = 0; index < 4; ++index)
          first_draws.insert(Rng(seed, stream, step, index).next());
  EXPECT_EQ(first_draws.size(), 4u * 8 * 4 * 4);
}

TEST(Rng, ForksWithoutMoving) {
  Rng rng(5);
  const Rng before = rng;
  Rng child = rng.fork(7), named = rng.fork("embedding"), other = rng.fork("head");
  EXPECT_EQ(Rng(before).next(), rng.next());
  EXPECT_EQ(std::set({child.next(), named.next(), other.next()}).size(), 3u);
}

TEST(Rng, DrawsBelowABoundEquallyOften) {
  constexpr int kDraws = 70000;
  std::array<int, 7> counts{};
  Rng rng(11);
  for (int i = 0; i < kDraws; ++i) ++counts.at(static_cast<std::size_t>(rng.below(7)));
  for (const int count : counts)
    EXPECT_NEAR(count, 10000, 5 * std::sqrt(10000 * 6.0 / 7));  // 5 sigma
}

TEST(Rng, DrawsUniformsInTheUnitInterval) {
  Rng rng(12);
  double sum = 0, squares = 0, correlation = 0, last = 0.5;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = rng.uniform();
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    sum += draw;
    squares += draw * draw;
    correlation += (draw - 0.5) * (last - 0.5);
    last = draw;
  }
  const double root = std::sqrt(kDraws);
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1 / 12.0) / root);          // 5 sigma
  EXPECT_NEAR(squares / kDraws, 1 / 3.0, 5 * std::sqrt(4 / 45.0) / root);  // 5 sigma
  EXPECT_NEAR(correlation / kDraws, 0, 5 / 12.0 / root);                   // 5 sigma
}

TEST(Rng, DrawsNormalsOfMeanZeroAndVarianceOne) {
  Rng rng(13);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = rng.normal();
    ASSERT_LE(std::abs(draw), 6);
    sum += draw;
    squares += draw * draw;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(kDraws));                       // 5 sigma
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0) / std::sqrt(kDraws));  // 5 sigma
}

TEST(Rng, LooksAheadAtWhatItWillDraw) {
  const Rng rng(15);
  Rng drawn = rng;
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(rng.peek(i), drawn.next()) << i;
}

TEST(Rng, ComparesWithAThresholdAsItDoesWithAProbability) {
  Rng probabilities(16);
  std::vector<double> tried = {0, 1, 2, -1, 0x1.0p-53, 0x1.8p-53, 0.15, 0.5, 1 - 0x1.0p-53};
  for (int i = 0; i < 200; ++i) tried.push_back(probabilities.uniform());
  const Rng rng(17);
  for (const double p : tried) {
    Rng drawn = rng;
    for (std::uint64_t i = 0; i < 200; ++i)
      ASSERT_EQ(drawn.probability(p), rng.peek(i) >> 11 < Rng::threshold(p)) << p;
    const std::uint64_t at = Rng::threshold(p);  // the draws on either side of it
    if (p <= 0 || p > 1) continue;
    EXPECT_GE(static_cast<double>(at) * 0x1.0p-53, p);
    EXPECT_LT(static_cast<double>(at - 1) * 0x1.0p-53, p);
  }
}

TEST(Rng, DrawsOnceWhateverTheProbability) {
  Rng never(14), always(14);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(never.probability(0));
    EXPECT_TRUE(always.probability(1));
  }
  EXPECT_EQ(never.next(), always.next());
}

}  // namespace
}  // namespace ablate
