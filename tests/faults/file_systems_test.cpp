// Results on a network file system and in a folder that is read-only.

#include <SQLiteCpp/SQLiteCpp.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "harness/store/index/records.h"
#include "tests/harness/store/fake_results.h"

namespace {

constexpr long kNfs = 0x6969;

bool on_network = false;

}  // namespace

/// Takes the place of the system's in this program, and says on demand that every file is on a
/// network file system.
extern "C" int statfs(const char* path, struct statfs* about) {
  static const auto real =
      reinterpret_cast<int (*)(const char*, struct statfs*)>(::dlsym(RTLD_NEXT, "statfs"));
  const int result = real(path, about);
  if (on_network) about->f_type = kNfs;
  return result;
}

namespace ablate::store {
namespace {

using testing_support::fake_plan;
using testing_support::write_trial;

namespace fs = std::filesystem;

constexpr int kNotReached = 3;  // exit status of a reader that cannot reach the results

class FileSystems : public testing::Test {
 protected:
  FileSystems() {
    freeze_plan(results, fake_plan({"clm", "mlm"}, 2), {{"experiment.json", "{}"}});
    for (const char* id : {"t0", "t1", "t2", "t3"}) write_trial(results, id);
  }
  ~FileSystems() override { on_network = false; }

  /// The metrics of all trials, as a report reads them.
  std::string metrics() const {
    Json all = Json::array();
    for (const TrialRecord& trial : load_records(results).trials) all.push_back(trial.metrics);
    return all.dump();
  }

  /// What metrics() returns to a user who may read the results and write nothing; empty where a
  /// folder above them is closed to that user.
  std::optional<std::string> metrics_of_a_reader() const {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      constexpr uid_t kNobody = 65534;  // root may write whatever the permissions are
      if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(1);
      if (::access(results.c_str(), R_OK | X_OK) != 0) ::_exit(kNotReached);
      std::string text;
      try {  // the child must not go on with the tests
        text = metrics();
      } catch (const std::exception& error) {
        text = error.what();
      }
      ::_exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0
                                                                                              : 1);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t count = 0; (count = ::read(ends[0], part, sizeof part)) > 0;)
      text.append(part, static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotReached) return std::nullopt;
    EXPECT_EQ(status, 0);
    return text;
  }

  const TemporaryFolder folder;
  const fs::path results = folder / "results";
  const fs::path index = results / "index.sqlite";
};

/// SQLite's write-ahead log needs memory that processes share, which no network gives.
TEST_F(FileSystems, OnANetworkTheIndexHasNoWriteAheadLog) {
  const auto journal_mode = [&] {
    return SQLite::Database(index.string()).execAndGet("PRAGMA journal_mode").getString();
  };
  const std::string expected = metrics();
  EXPECT_EQ(journal_mode(), "wal");
  fs::remove(index);
  on_network = true;
  EXPECT_EQ(metrics(), expected);
  EXPECT_EQ(journal_mode(), "delete");
}

TEST_F(FileSystems, AReadOnlyFolderIsReadWithoutAnIndex) {
  const std::string expected = metrics();
  for (const char* part : {"", "-wal", "-shm"}) fs::remove(index.string() + part);
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(results, fs::perms(0555));
  const std::optional<std::string> read = metrics_of_a_reader();
  if (!read)
    GTEST_SKIP() << "other users cannot reach " << results << ": a folder above it is closed";
  EXPECT_EQ(read, expected);
  EXPECT_FALSE(fs::exists(index));
  fs::permissions(results, fs::perms(0755));
  EXPECT_EQ(metrics(), expected);
  fs::permissions(results, fs::perms(0555));
  EXPECT_EQ(metrics_of_a_reader(), expected) << "with an index that it cannot write";
  fs::permissions(results, fs::perms(0755));
}

}  // namespace
}  // namespace ablate::store
