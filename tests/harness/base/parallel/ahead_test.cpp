#include "harness/base/parallel/ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <vector>

namespace ablate {
namespace {

TEST(Ahead, HandsResultsOnInTheOrderOfTheJobs) {
  std::vector<int> taken, expected;
  Ahead<int> ahead([&](int result) { taken.push_back(result); });
  for (int i = 0; i < 100; ++i) {
    ahead.run(
        [i] {
          std::this_thread::sleep_for(std::chrono::microseconds(100 * (7 * i % 5)));
          return i;
        },
        i % 3 == 0);
    expected.push_back(i);
  }
  ahead.finish();
  EXPECT_EQ(taken, expected);
}

TEST(Ahead, KeepsAFewUnderWay) {
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency()) + 1;
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
  {
    Ahead<int> ahead([](int) { FAIL(); });
    for (int i = 0; i < 2; ++i)
      ahead.run([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return ++done;
      });
  }
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace ablate
