#include "harness/base/parallel/ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ablate {
namespace {

// Of three jobs, the first is small, and the second ends after the third.
TEST(Ahead, HandsResultsOnInTheOrderOfTheJobs) {
  constexpr std::size_t kJobs = 99;
  std::vector<std::atomic_flag> ended(kJobs);
  std::vector<std::size_t> taken, expected;
  Ahead<std::size_t> ahead([&](std::size_t result) { taken.push_back(result); });
  for (std::size_t i = 0; i < kJobs; ++i) {
    ahead.run(
        [&ended, i] {
          if (i % 3 == 1) ended[i + 1].wait(false);
          ended[i].test_and_set();
          ended[i].notify_all();
          return i;
        },
        i % 3 == 0);
    expected.push_back(i);
  }
  ahead.finish();
  EXPECT_EQ(taken, expected);
}

TEST(Ahead, KeepsAFewUnderWay) {
  const std::size_t most = usable_cores() + 1;
  std::size_t given = 0, taken = 0;
  Ahead<int> ahead([&](int) { ++taken; });
  for (int i = 0; i < 20; ++i) {
    ahead.run([] { return 0; });
    ++given;
    EXPECT_EQ(given - taken, std::min(given, most));
  }
  ahead.finish();
  EXPECT_EQ(taken, given);
}

TEST(Ahead, TakesInTheThreadThatGives) {
  const std::thread::id here = std::this_thread::get_id();
  Ahead<std::thread::id> ahead(
      [&](std::thread::id) { EXPECT_EQ(std::this_thread::get_id(), here); });
  for (int i = 0; i < 10; ++i) ahead.run([] { return std::this_thread::get_id(); });
  ahead.finish();
}

TEST(Ahead, ThrowsWhatAJobThrewInItsTurn) {
  std::vector<int> taken;
  Ahead<int> ahead([&](int result) { taken.push_back(result); });
  ahead.run([] { return 1; });
  ahead.run([]() -> int { throw std::runtime_error("second"); });
  EXPECT_THROW(ahead.finish(), std::runtime_error);
  EXPECT_THAT(taken, testing::ElementsAre(1));
}

TEST(Ahead, WaitsForWhatNobodyTakes) {
  std::atomic<int> done = 0;
  std::latch leaving(1);
  {
    Ahead<int> ahead([](int) { FAIL(); });
    for (int i = 0; i < 2; ++i)
      ahead.run([&] {
        leaving.wait();
        return ++done;
      });
    leaving.count_down();  // at the last moment before the destructor
  }
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace ablate
