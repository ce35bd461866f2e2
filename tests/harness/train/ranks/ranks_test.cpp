// Ranks meet, add up and share; one that is lost is noticed by the others. Threads stand for processes.

#include "harness/train/ranks/ranks.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/train/ranks/rank_threads.h"
#include "tests/temporary_folder.h"

namespace ablate::train {
namespace {

using testing::as_ranks;

class RanksTest : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(RanksTest, AddUpTheSameBitsEverywhere) {
  std::vector<std::vector<float>> sums(static_cast<std::size_t>(GetParam()));
  as_ranks(GetParam(), [&](Ranks& ranks) {
    const at::Tensor large = at::full({1001}, 0.1 + 0.7 * static_cast<double>(ranks.rank()));
    const at::Tensor small = at::full({2, 3}, static_cast<double>(ranks.rank()));
    ranks.sum({large, small});
    const double all = static_cast<double>(ranks.size());
    EXPECT_NEAR(large[1000].item<double>(), 0.1 * all + 0.7 * all * (all - 1) / 2, 1e-6);
    EXPECT_EQ(small[1][2].item<double>(), all * (all - 1) / 2);
    const auto* values = large.data_ptr<float>();
    sums[static_cast<std::size_t>(ranks.rank())].assign(values, values + large.numel());
  });
  for (const auto& sum : sums) EXPECT_EQ(sum, sums[0]);
}

TEST_P(RanksTest, ShareWhatTheFirstHas) {
  as_ranks(GetParam(), [&](Ranks& ranks) {
    const auto own = static_cast<double>(ranks.rank());
    EXPECT_EQ(ranks.shared_number(own + 0.125), 0.125);
    EXPECT_EQ(ranks.shared_text(std::string(static_cast<std::size_t>(ranks.rank() * 7 + 3), 'a')),
              "aaa");
    EXPECT_EQ(ranks.shared_text(ranks.leads() ? "" : "not this"), "");
    const at::Tensor tensor = at::full({5}, own);
    ranks.share(tensor);
    EXPECT_EQ(tensor[4].item<double>(), 0);
    ranks.check_alike(tensor);
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, RanksTest, ::testing::Values(2, 3, 5));

TEST(Ranks, OtherWeightsAreNoticed) {
  as_ranks(2, [&](Ranks& ranks) {
    const at::Tensor tensor = at::full({5}, 1.0);
    if (!ranks.leads()) tensor[3] = std::nextafter(1.0f, 2.0f);
    EXPECT_THROW(ranks.check_alike(tensor), std::logic_error);
  });
}

TEST(Ranks, TheLossOfOneIsNoticedByAll) {
  std::atomic<int> noticed = 0;
  as_ranks(3, [&](Ranks& ranks) {
    if (ranks.rank() == 1) return;  // its connections are closed, as the system does for the dead
    const at::Tensor tensor = at::full({100000}, 1.0);
    try {
      for (int i = 0; i < 3; ++i) ranks.sum({tensor});  // what it had already sent may come first
    } catch (const RankLost&) {
      ++noticed;
    }
  });
  EXPECT_EQ(noticed, 2);
}

TEST(Ranks, OneThatStandsStillIsNoticed) {
  std::atomic<bool> over = false;
  as_ranks(
      2,
      [&](Ranks& ranks) {
        if (ranks.leads()) {
          EXPECT_THROW(ranks.sum({at::full({10}, 1.0)}), RankLost);
          over = true;
        } else {
          while (!over) std::this_thread::yield();
        }
      },
      /*patience_seconds=*/0.5);
}

TEST(Ranks, OneThatDoesNotComeIsNotAwaitedForEver) {
  TemporaryFolder folder;
  EXPECT_THAT(
      [&] { Ranks(0, 2, {.file = folder.path() / "meeting", .patience_seconds = 0.2}); },
      ::testing::ThrowsMessage<RankLost>(::testing::HasSubstr("did not meet in 0.2 seconds")));
}

TEST(Ranks, TheFirstHearsTheCallerWhileItWaits) {
  TemporaryFolder folder;
  EXPECT_THAT(
      [&] {
        Ranks(0, 2, {.file = folder.path() / "meeting", .waiting = [] {
                       throw RankLost("it has ended");
                     }});
      },
      ::testing::ThrowsMessage<RankLost>(::testing::StrEq("it has ended")));
}

TEST(Ranks, LeaveNoFile) {
  TemporaryFolder folder;
  as_ranks(
      3, [](Ranks& ranks) { ranks.shared_number(1); }, 30, folder.path());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace ablate::train
