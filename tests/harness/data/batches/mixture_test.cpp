// Properties of drawing texts from several corpora.

#include "harness/data/batches/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace ablate::data {
namespace {

bool equal_places(const std::vector<Mixture::Place>& a, const std::vector<Mixture::Place>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.member == y.member && x.index == y.index;
  });
}

TEST(Mixture, MayBeAskedFromSeveralThreads) {
  const Mixture mixture({0.25, 0.75}, 3);
  std::vector<std::vector<Mixture::Place>> found(30);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < found.size(); i += 3)
        found[i] = mixture.places(static_cast<std::int64_t>(3000 * i), 5);
    });
  for (std::thread& thread : threads) thread.join();
  const Mixture alone({0.25, 0.75}, 3);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(equal_places(found[i], alone.places(static_cast<std::int64_t>(3000 * i), 5))) << i;
}

TEST(Mixture, OfOneCorpusIsThatCorpus) {
  const Mixture mixture({1.0}, 7);
  const auto places = mixture.places(5000, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(places[i].member, 0u);
    EXPECT_EQ(places[i].index, 5000 + static_cast<std::int64_t>(i));
  }
}

TEST(Mixture, ReadsEveryMemberInItsOwnOrderWithoutLosingAText) {
  const Mixture mixture({0.6, 0.3, 0.1}, 3);
  std::vector<std::int64_t> next(3, 0);
  for (const Mixture::Place& place : mixture.places(0, 5000))
    EXPECT_EQ(place.index, next[place.member]++);
}

TEST(Mixture, IsTheSameFromWhereverItIsRead) {
  const Mixture whole({0.5, 0.5}, 3), apart({0.5, 0.5}, 3);
  const auto places = whole.places(0, 4000);
  for (const std::int64_t first : {3990, 1, 1023, 1024, 2000}) {
    const auto some = apart.places(first, 10);
    for (std::size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some[i].member, places[static_cast<std::size_t>(first) + i].member);
      EXPECT_EQ(some[i].index, places[static_cast<std::size_t>(first) + i].index);
    }
  }
}

TEST(Mixture, DrawsEachMemberByItsShare) {
  const double count = 20000;
  for (const double probability : {0.1, 0.5, 0.9}) {
    const Mixture mixture({1 - probability, probability}, 11);
    double drawn = 0;
    for (const Mixture::Place& place : mixture.places(0, 20000))
      drawn += static_cast<double>(place.member);
    // Four sigmas of a binomial count.
    EXPECT_NEAR(drawn / count, probability, 4 * std::sqrt(probability * (1 - probability) / count));
  }
}

TEST(Mixture, DrawsOtherwiseWithAnotherSeed) {
  const auto a = Mixture({0.5, 0.5}, 1).places(0, 64), b = Mixture({0.5, 0.5}, 2).places(0, 64);
  int differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ += a[i].member != b[i].member;
  EXPECT_GT(differ, 10);
}

TEST(Mixture, RefusesSharesThatAreNone) {
  EXPECT_THROW(Mixture({0.5, 0.4}, 1), std::invalid_argument);
  EXPECT_THROW(Mixture({1.5, -0.5}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::data
