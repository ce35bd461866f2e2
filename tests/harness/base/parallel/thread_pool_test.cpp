#include "harness/base/parallel/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
#include <vector>

namespace ablate {
namespace {

TEST(ThreadPool, TakesEachTurnOnceInEveryLoop) {
  for (const std::size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (std::size_t count = 0; count < 200; ++count) {
      std::vector<std::atomic<int>> taken(count);
      pool.parallel_for(count, [&](std::size_t i) { ++taken[i]; });
      for (const std::atomic<int>& times : taken) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, TakesTurnsAtTheSameTime) {
  constexpr std::size_t kThreads = 4;
  ThreadPool pool(kThreads);
  std::barrier all_are_there(static_cast<std::ptrdiff_t>(kThreads));
  for (int loop = 0; loop < 20; ++loop)
    pool.parallel_for(kThreads, [&](std::size_t) { all_are_there.arrive_and_wait(); });
}

TEST(ThreadPool, ThrowsWhatTheFirstTurnThrewOnceAllHaveEnded) {
  ThreadPool pool(3);
  for (int loop = 0; loop < 50; ++loop) {
    std::atomic<int> ended = 0;
    try {
      pool.parallel_for(30, [&](std::size_t i) {
        ++ended;
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
    EXPECT_EQ(ended, 30);
    EXPECT_NO_THROW(pool.parallel_for(30, [](std::size_t) {}));
  }
}

}  // namespace
}  // namespace ablate
