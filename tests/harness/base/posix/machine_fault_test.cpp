// Which exceptions are faults of the machine, and which say that the disk is full.

#include "harness/base/posix/machine_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/error.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

fs::filesystem_error of_file_system(std::errc reason) {
  return fs::filesystem_error("cannot rename", std::make_error_code(reason));
}

TEST(MachineFaults, AreSystemCallsThatFailed) {
  EXPECT_TRUE(is_machine_fault(MachineFault("x: could not be read: Input/output error", EIO)));
  EXPECT_TRUE(is_machine_fault(of_file_system(std::errc::io_error)));
  EXPECT_FALSE(is_machine_fault(DamagedFile("x: does not match its checksum")));
  EXPECT_FALSE(is_machine_fault(std::bad_alloc()));
}

TEST(MachineFaults, TellAFullDisk) {
  for (const int full : {ENOSPC, EDQUOT, EFBIG}) EXPECT_TRUE(is_no_space(MachineFault("", full)));
  EXPECT_TRUE(is_no_space(of_file_system(std::errc::no_space_on_device)));
  EXPECT_FALSE(is_no_space(MachineFault("", EIO)));
  EXPECT_FALSE(is_no_space(of_file_system(std::errc::no_such_file_or_directory)));
  EXPECT_FALSE(is_no_space(std::runtime_error("No space left on device")));
}

TEST(MachineFaults, TellADiskThatFailsFromAFileThatWasNamedWrongly) {
  for (const int failed : {ENOSPC, EIO}) EXPECT_TRUE(is_disk_fault(MachineFault("", failed)));
  EXPECT_TRUE(is_disk_fault(of_file_system(std::errc::io_error)));
  for (const int named : {ENOENT, EACCES, EISDIR})
    EXPECT_FALSE(is_disk_fault(MachineFault("", named)));
  EXPECT_FALSE(is_disk_fault(std::runtime_error("x: is not a regular file")));
}

TEST(MachineFaults, ThatNameNothingAreExplained) {
  EXPECT_THAT(explained(std::bad_alloc()),
              testing::HasSubstr("not enough memory (std::bad_alloc)"));
  EXPECT_THAT(explained(std::bad_alloc()), testing::HasSubstr("ulimit -v"));
  const auto no_thread = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_THAT(explained(std::system_error(no_thread)), testing::HasSubstr("refuses a thread"));
  EXPECT_EQ(explained(std::runtime_error("x: is a folder")), "x: is a folder");
}

}  // namespace
}  // namespace ablate
