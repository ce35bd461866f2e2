// A worker process: its input, its output, and its log where it cannot be started.

#include "harness/run/worker/process.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>

#include "harness/base/files.h"
#include "tests/temporary_folder.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

std::size_t open_descriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// While it lives, this process may open only `count` more descriptors.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(0);  // the number that the next one will have
    ::close(lowest);
    const rlimit few = {static_cast<rlim_t>(lowest) + count, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// The first line that a process writes; empty where it ends without one.
std::string first_line(Process& process) {
  do
    if (const std::vector<std::string> lines = process.awaited_lines(); !lines.empty())
      return lines[0];
  while (!process.over());
  return "";
}

/// Every line that a process writes until it ends.
std::vector<std::string> all_lines(Process& process) {
  std::vector<std::string> lines;
  do
    for (std::string& line : process.awaited_lines()) lines.push_back(std::move(line));
  while (!process.over());
  return lines;
}

TEST(Process, KnowsTheProcessorSecondsThatItTook) {
  const TemporaryFolder folder;
  const auto script = folder.write(
      "busy.sh", "#!/bin/sh\ni=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo done\n");
  fs::permissions(script, fs::perms::owner_all);
  Process process(script, "", folder / "log");
  EXPECT_EQ(all_lines(process), std::vector<std::string>{"done"});
  EXPECT_GT(process.processor_seconds(), 0);
}

TEST(Process, ReadsItsInputAndIsHeardLineByLine) {
  const TemporaryFolder folder;
  Process process("/bin/cat", "one\ntwo\nunfinished", folder / "log");
  EXPECT_THAT(all_lines(process), testing::ElementsAre("one", "two"));
  EXPECT_EQ(status_text(process.status()), "exit status 0");
}

TEST(Process, ThatDoesNotExistEndsAndSaysWhyInItsLog) {
  const TemporaryFolder folder;
  const std::size_t before = open_descriptors();
  {
    Process process(folder / "absent", "", folder / "log");
    EXPECT_THAT(all_lines(process), testing::IsEmpty());
    EXPECT_EQ(status_text(process.status()), "exit status 127");
    EXPECT_EQ(read_file(folder / "log"), "No such file or directory");
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Process, LeavesNoDescriptorOpenWhereItCannotBeStarted) {
  const TemporaryFolder folder;
  const std::size_t before = open_descriptors();
  EXPECT_THROW(Process("/bin/true", "", folder / "absent/log"), std::runtime_error);
  EXPECT_EQ(open_descriptors(), before) << "there is no folder for the log";
  for (rlim_t count = 0; count < 4; ++count) {
    {
      const FewDescriptors few(count);
      EXPECT_THROW(Process("/bin/true", "", folder / "log"), std::runtime_error) << count;
    }
    EXPECT_EQ(open_descriptors(), before) << "with " << count << " descriptors to be had";
  }
}

TEST(Process, GoesOnAtTheEndOfALogThatWasShortened) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "shortened").c_str(), 0600), 0);
  std::ofstream(folder / "talk.sh") << R"(#!/bin/sh
seq 500 | sed 's/^/line /' >&2
echo written
cat $(dirname $0)/shortened
echo after >&2
)";
  fs::permissions(folder / "talk.sh", fs::perms::owner_all);
  Process process(folder / "talk.sh", "", folder / "log");
  ASSERT_EQ(first_line(process), "written");
  const std::string all = read_file(folder / "log");
  shorten_log(folder / "log", all.size());
  EXPECT_EQ(read_file(folder / "log"), all) << "it is short enough";
  shorten_log(folder / "log", 1000);
  std::ofstream(folder / "shortened").close();  // the script has waited for this
  all_lines(process);
  const std::string log = read_file(folder / "log");
  EXPECT_THAT(log, testing::StartsWith("line "));
  EXPECT_THAT(log, testing::EndsWith("line 499\nline 500\nafter\n"));
  EXPECT_LE(log.size(), 1000 + std::string("after\n").size());
  shorten_log(folder / "absent");  // is no error
}

TEST(Process, IsKilledAndReapedWithTheObject) {
  const TemporaryFolder folder;
  std::ofstream(folder / "stay.sh") << "#!/bin/sh\necho $$\nexec tail -f /dev/null\n";
  fs::permissions(folder / "stay.sh", fs::perms::owner_all);
  pid_t pid = 0;
  {
    Process process(folder / "stay.sh", "", folder / "log");
    pid = std::stoi(first_line(process));
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

}  // namespace
}  // namespace ablate::run
