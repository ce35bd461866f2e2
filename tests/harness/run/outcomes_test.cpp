// What is learned from a worker's time.

#include "harness/run/outcomes.h"

#include <gtest/gtest.h>

#include "tests/harness/store/fake_results.h"
#include "tests/temporary_folder.h"

namespace ablate::run {
namespace {

/// The timing of a worker whose one trial was trained for 1.5 s, as fake results are.
std::optional<plan::Timing> timing(const std::string& device, const WorkerTime& time,
                                   const std::string& outcome = "completed") {
  const TemporaryFolder folder;
  store::testing_support::write_trial(folder.path(), "t0", outcome);
  Chunk chunk;
  chunk.trials.emplace_back().id = "t0";
  return timing_of(chunk, device, time, folder.path());
}

TEST(TimingOf, IsByTheProcessorWhereOtherProgramsSharedIt) {
  const auto alone = timing("cpu", {.wall = 4, .processor = 4});
  ASSERT_TRUE(alone);
  EXPECT_DOUBLE_EQ(alone->training, 1.5);
  EXPECT_DOUBLE_EQ(alone->overhead, 2.5);
  EXPECT_FALSE(alone->date.empty());
  const auto shared = timing("cpu", {.wall = 4, .processor = 1});
  EXPECT_DOUBLE_EQ(shared->training, 1.5 / 4);
  EXPECT_DOUBLE_EQ(shared->overhead, 2.5 / 4);
  EXPECT_DOUBLE_EQ(shared->load, 4);
}

TEST(TimingOf, IsByTheClockWhereADeviceOrSeveralThreadsWork) {
  EXPECT_DOUBLE_EQ(timing("cuda:0", {.wall = 4, .processor = 1})->training, 1.5);
  EXPECT_DOUBLE_EQ(timing("cpu", {.wall = 4, .processor = 7})->training, 1.5);
  EXPECT_DOUBLE_EQ(timing("cpu", {.wall = 4, .processor = 0})->training, 1.5) << "unknown";
}

TEST(TimingOf, IsNoneOfATrialThatDidNotComplete) {
  EXPECT_FALSE(timing("cpu", {.wall = 4, .processor = 4}, "failed"));
}

}  // namespace
}  // namespace ablate::run
