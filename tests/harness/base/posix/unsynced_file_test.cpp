#include "harness/base/posix/unsynced_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "tests/limit.h"
#include "tests/temporary_folder.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

/// What is thrown, of which the disk is said to be full.
template <class Work>
std::string full_disk_said(const Work& work) {
  try {
    const Limit limit(RLIMIT_FSIZE, 1000);
    work();
  } catch (const MachineFault& fault) {
    EXPECT_TRUE(is_no_space(fault));
    return fault.what();
  }
  return "nothing";
}

TEST(UnsyncedFile, IsACopyWithItsPermissions) {
  const TemporaryFolder folder;
  const fs::path from = folder.write("from", std::string(3'000'000, 'x') + "y");
  fs::permissions(from, fs::perms::owner_all | fs::perms::group_exec);
  copy_unsynced(from, folder / "to");
  EXPECT_EQ(read_file(folder / "to"), read_file(from));
  EXPECT_EQ(fs::status(folder / "to").permissions(), fs::status(from).permissions());
  EXPECT_THROW(copy_unsynced(from, folder / "to"), MachineFault) << "nothing is overwritten";
  EXPECT_TRUE(fs::exists(folder / "to"));
}

TEST(UnsyncedFile, SaysThatTheDiskIsFullAndLeavesNothing) {
  const TemporaryFolder folder;
  const fs::path from = folder.write("from", std::string(2000, 'x')), to = folder / "to";
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_THAT(full_disk_said([&] { copy_unsynced(from, to); }),
                testing::HasSubstr("to: could not be written: File too large"));
    EXPECT_THAT(full_disk_said([&] { write_unsynced(to, std::string(2000, 'x')); }),
                testing::HasSubstr("to: could not be written: File too large"));
    EXPECT_THAT(full_disk_said([&] { check_room(to); }), testing::HasSubstr("File too large"));
    EXPECT_FALSE(fs::exists(to));
  }
}

TEST(UnsyncedFile, RemovesNoDevice) {
  EXPECT_THROW(write_unsynced("/dev/full", "x"), MachineFault);
  EXPECT_TRUE(fs::exists("/dev/full"));
}

}  // namespace
}  // namespace ablate
