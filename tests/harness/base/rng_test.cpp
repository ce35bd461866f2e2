#include "harness/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace ablate {
namespace {

TEST(Rng, ItsNumbersArePartOfEveryResultAndStayAsTheyAre) {
  Rng plain(0);  // the published sequence of SplitMix64 from 0
  EXPECT_EQ(plain.next(), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(plain.next(), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(plain.next(), 0x06C45D188009454Fu);
  EXPECT_EQ(Rng(1, Stream::corruption, 2, 3).next(), Rng(1, Stream::corruption, 2, 3).next());
}

TEST(Rng, StreamsOfUnlikeKeysDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (std::uint64_t stream = 1; stream <= 8; ++stream)
      for (std::uint64_t step = 0; step < 5; ++step)
        for (std::uint64_t index = 0; index < 5; ++index)
          first.insert(Rng(seed, static_cast<Stream>(stream), step, index).next());
  EXPECT_EQ(first.size(), 5u * 8 * 5 * 5);
}

TEST(Rng, ForkingDoesNotAdvance) {
  Rng one(9), other(9);
  EXPECT_NE(one.fork(1).next(), one.fork(2).next());
  EXPECT_NE(one.fork("a").next(), one.fork("b").next());
  EXPECT_EQ(one.next(), other.next());
}

TEST(Rng, BelowIsUniform) {
  constexpr int kDraws = 60'000, kBound = 6;
  std::vector<int> counts(kBound);
  Rng rng(4);
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(rng.below(kBound))];
  for (const int count : counts)  // sigma of each count is 91.3; 5 of them
    EXPECT_NEAR(count, kDraws / kBound, 456);
}

TEST(Rng, UniformAndNormalHaveTheirMoments) {
  constexpr int kDraws = 100'000;
  double sum = 0, normal = 0, squares = 0;
  Rng rng(5);
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    const double z = rng.normal();
    normal += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * 0.289 / std::sqrt(kDraws));
  EXPECT_NEAR(normal / kDraws, 0, 5 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

TEST(Rng, ChanceDrawsOnceWhateverTheProbability) {
  for (const double probability : {0.0, 0.5, 1.0}) {
    Rng rng(6), other(6);
    const bool hit = rng.probability(probability);
    other.next();
    EXPECT_EQ(rng.next(), other.next());
    EXPECT_TRUE(probability == 0.5 || hit == (probability == 1));
  }
}

}  // namespace
}  // namespace ablate
