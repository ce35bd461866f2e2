#include "harness/store/folder/lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::put_bytes;

class Lock : public testing::Test {
 protected:
  TemporaryFolder folder;
  fs::path results = folder.path() / "results";
};

TEST_F(Lock, TakesAFolderWhoseRunWasKilledBeforeItHadAPlan) {
  for (const char* name : {"experiment.json", "experiment.json.tmp.77.0", "plan.json.tmp.77.1"}) {
    fs::remove_all(results);
    fs::create_directories(results);
    put_bytes(results / "lock", "");
    put_bytes(results / name, "{}");
    EXPECT_NO_THROW(FolderLock{results}) << name;
  }
}

TEST_F(Lock, TakesAFolderWhereAnEngineHasMadeThePlacesOfDoneFiles) {
  fs::create_directories(results / "shards");  // as Snakemake does for its outputs
  EXPECT_NO_THROW(FolderLock{results});
}

TEST_F(Lock, RefusesAFolderOfOtherThings) {
  fs::create_directories(results);
  put_bytes(results / "thesis.tex", "");
  EXPECT_THAT([&] { FolderLock{results}; },
              ThrowsMessage<std::invalid_argument>(HasSubstr("holds other files (thesis.tex)")));
}

TEST_F(Lock, IsTakenByShardsThatBeginOneFolderAtOnce) {
  for (int round = 0; round < 1000; ++round) {
    fs::remove_all(results);
    std::atomic<int> refused = 0;
    std::vector<std::thread> shards;
    for (int i = 0; i < 4; ++i)
      shards.emplace_back([&] {
        try {
          const FolderLock lock(results, nullptr, Sharing::with_shards);
          freeze_plan(results, testing_support::fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
        } catch (const std::exception&) {
          ++refused;
        }
      });
    for (std::thread& shard : shards) shard.join();
    ASSERT_EQ(refused, 0) << "in round " << round;
  }
}

TEST_F(Lock, SaysWhyAFolderCannotBeMade) {
  put_bytes(results, "");
  EXPECT_THAT([&] { FolderLock{results / "below"}; },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("below: cannot be created (Not a directory); choose a folder that you "
                            "can write to")));
}

TEST_F(Lock, RemovesWhatKilledProcessesLeft) {
  freeze_plan(results, testing_support::fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
  testing_support::write_trial(results, "t0");
  put_bytes(results / "plan.json.tmp.77.0", "half");
  put_bytes(results / "trials/t0/t0/weights.safetensors.tmp.77.3", "half");
  fs::create_directories(results / "trials/t1/t1.tmp.77");
  FolderLock{results};
  EXPECT_FALSE(fs::exists(results / "plan.json.tmp.77.0"));
  EXPECT_FALSE(fs::exists(results / "trials/t0/t0/weights.safetensors.tmp.77.3"));
  EXPECT_FALSE(fs::exists(results / "trials/t1/t1.tmp.77"));
  EXPECT_TRUE(fs::exists(journal_file(results, "t0")));
}

TEST_F(Lock, WritesThroughNoLink) {
  const fs::path outside = folder.path() / "outside";
  fs::create_directories(outside / "t0");
  put_bytes(outside / "t0/kept.tmp.1", "");
  for (const char* name : {"trials", "tuning"}) {
    freeze_plan(results, testing_support::fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
    fs::remove(results / name);
    fs::create_directory_symlink(outside, results / name);
    EXPECT_THAT([&] { FolderLock{results}; },
                ThrowsMessage<DamagedFile>(HasSubstr(std::string(name) + ": is a link to")));
    fs::remove_all(results);
  }
  freeze_plan(results, testing_support::fake_plan({"clm"}, 1), {{"experiment.json", "{}"}});
  fs::create_directory(results / "trials/t0");
  fs::create_directory_symlink(outside / "t0", results / "trials/t0/t0");
  FolderLock{results};
  EXPECT_TRUE(fs::exists(outside / "t0/kept.tmp.1"));
}

TEST_F(Lock, NoticesThatTheFolderWasMovedOrDeleted) {
  const FolderLock lock(results);
  EXPECT_TRUE(lock.in_place());
  fs::rename(results, folder.path() / "moved");
  EXPECT_FALSE(lock.in_place());
  const FolderLock other(results);
  EXPECT_FALSE(lock.in_place()) << "another folder has taken the name";
  fs::remove_all(results);
  EXPECT_FALSE(other.in_place());
}

}  // namespace
}  // namespace ablate::store
