// What a thread spends its time on: each second once, waiting left out.

#include "harness/base/time/time_spent.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace ablate {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Works for at least two milliseconds.
void work() {
  const auto start = Clock::now();
  while (seconds_since(start) < 2e-3) {
  }
}

TEST(TimeSpent, CountsEachActivityOnceAndNoMoreThanThereWas) {
  const auto start = Clock::now();
  const TimeSpent before = time_spent();
  {
    const Spending passes(Activity::passes);
    work();
  }
  {
    const Spending fits(Activity::fits);
    work();
    const Spending inside(Activity::passes);  // that a fit makes
    work();
  }
  work();
  const TimeSpent spent = time_spent() - before;
  const double most = seconds_since(start);
  EXPECT_GE(spent.on(Activity::passes), 2e-3);
  EXPECT_GE(spent.on(Activity::fits), 4e-3);
  EXPECT_EQ(spent.on(Activity::text), 0);
  EXPECT_GE(spent.seconds, spent.on(Activity::passes) + spent.on(Activity::fits) + 2e-3);
  EXPECT_LE(spent.seconds, most);
}

TEST(TimeSpent, SaysWhatAnActivityHasTakenSoFar) {
  const TimeSpent before = time_spent();
  const Spending text(Activity::text);
  work();
  EXPECT_GE((time_spent() - before).on(Activity::text), 2e-3);
}

TEST(TimeSpent, LeavesOutWaitingInAndOutsideOfAnActivity) {
  const TimeSpent before = time_spent();
  {
    const Spending passes(Activity::passes);
    work();
    leave_out_of_time_spent(1e-3);
  }
  const TimeSpent spent = time_spent() - before;
  const auto start = Clock::now();
  const TimeSpent then = time_spent();
  work();
  leave_out_of_time_spent(5);
  const TimeSpent later = time_spent() - then;
  EXPECT_LE(later.seconds, seconds_since(start) - 5);
  EXPECT_GE(spent.on(Activity::passes), 1e-3);
  EXPECT_EQ(later.on(Activity::passes), 0);
}

TEST(TimeSpent, IsEachThreadsOwn) {
  const TimeSpent before = time_spent();
  std::thread([] {
    const Spending fits(Activity::fits);
    work();
  }).join();
  EXPECT_EQ((time_spent() - before).on(Activity::fits), 0);
}

}  // namespace
}  // namespace ablate
