// How often training waits for the disk.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <deque>

#include "tests/harness/train/tiny.h"

namespace {
std::atomic<int> synced = 0;  // calls of fdatasync()
}

/// Takes the place of the C library's in this program, and counts.
extern "C" int fdatasync(int file) {
  ++synced;
  return static_cast<int>(::syscall(SYS_fdatasync, file));
}

namespace ablate::train {
namespace {

using testing::Place;

/// Trains a bank of 32 lanes for 40 steps; returns how often a journal was synced meanwhile.
int syncs_with(std::int64_t curve_points) {
  const TemporaryFolder folder;
  std::deque<Place> places;
  std::vector<Place*> bank;
  for (std::int64_t seed = 1; seed <= 32; ++seed) {
    const Json train = {{"curve_points", curve_points}};
    bank.push_back(&places.emplace_back(
        folder.path(), testing::trial("t" + std::to_string(seed), seed, 40, train)));
  }
  const int before = synced;
  testing::train_bank(bank);
  for (const Place& place : places)
    EXPECT_EQ(store::read_journal(place.folder / "journal.jsonl"), place.journal->events());
  return synced - before;
}

TEST(Journals, AreNotSyncedForEachPointOfTheCurve) {
  const int with_few = syncs_with(2);
  EXPECT_GT(with_few, 0) << "how training ended is on the disk";
  EXPECT_EQ(syncs_with(40), with_few);
}

}  // namespace
}  // namespace ablate::train
