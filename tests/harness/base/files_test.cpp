#include "harness/base/files.h"
#include "harness/base/posix/program.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "harness/base/mapped_file.h"
#include "tests/harness/data/folder.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> names_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(Files, ReadWhatWasWritten) {
  const TemporaryFolder folder;
  for (const std::string& bytes :
       {std::string(), std::string("a\0\n\xFF", 4), std::string(100'000, 'x')}) {
    write_file(folder / "a", bytes);
    EXPECT_TRUE(read_file(folder / "a") == bytes);
    EXPECT_TRUE(MappedFile(folder / "a").bytes() == bytes);
  }
  EXPECT_THAT(names_in(folder), SizeIs(1)) << "something temporary was left";
}

TEST(Files, AreReadOneAfterAnotherIntoTheSameMemory) {
  const TemporaryFolder folder;
  std::string memory;
  for (const std::size_t size : {10, 100'000, 0, 1, 99'999}) {
    const std::string bytes(size, static_cast<char>('a' + size % 7));
    write_file(folder / "a", bytes);
    read_file(folder / "a", memory);
    EXPECT_TRUE(memory == bytes) << size;
  }
}

TEST(Files, ConsistOfThePartsThatWereGiven) {
  const TemporaryFolder folder;
  const std::string_view parts[] = {"one", "", std::string_view("\0\n", 2), "two"};
  write_file(folder / "a", parts);
  EXPECT_EQ(read_file(folder / "a"), std::string("one\0\ntwo", 8));
  write_file(folder / "a", std::span<const std::string_view>());
  EXPECT_EQ(read_file(folder / "a"), "");
  EXPECT_THAT(names_in(folder), SizeIs(1)) << "something temporary was left";
}

TEST(Files, AWriteThatFailsLeavesTheFormerFileAndNothingElse) {
  const TemporaryFolder folder;
  write_file(folder / "a", "previous");
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THAT(data::refusal_of([&] { write_file(folder / "folder", "x"); }),
              HasSubstr("could not be replaced: Is a directory"));
  EXPECT_THAT(data::refusal_of([&] { write_file(folder / "absent/a", "x"); }),
              HasSubstr("could not be created: No such file"));
  EXPECT_EQ(read_file(folder / "a"), "previous");
  EXPECT_THAT(names_in(folder), testing::UnorderedElementsAre("a", "folder"));
}

TEST(Files, AReaderSeesOneWriteOrTheOtherWhole) {
  const TemporaryFolder folder;
  const std::string a(50'000, 'a'), b(70'000, 'b');
  write_file(folder / "file", a);
  std::atomic<int> at_work = 2;
  std::thread writers[2];
  for (int t = 0; t < 2; ++t)
    writers[t] = std::thread([&, t] {
      for (int i = 0; i < 10; ++i) write_file(folder / "file", t ? a : b);
      --at_work;
    });
  do {
    const std::string seen = read_file(folder / "file");
    EXPECT_TRUE(seen == a || seen == b);
  } while (at_work > 0);
  for (std::thread& writer : writers) writer.join();
}

TEST(Files, ReadingSaysWhatIsWrongWithAPath) {
  const TemporaryFolder folder;
  write_file(folder / "a", "12345");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto refusal = [](const std::filesystem::path& path, std::uint64_t limit = 100) {
    return data::refusal_of([&] { read_file(path, limit); });
  };
  EXPECT_THAT(refusal(folder / "absent"), HasSubstr("absent: could not be read: No such file"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal(folder / "pipe"), HasSubstr("is not a regular file, but a pipe"));
  std::filesystem::create_symlink("gone", folder / "dangling");
  EXPECT_THAT(refusal(folder / "dangling"), HasSubstr("is a link to 'gone', which does not exist"));
  EXPECT_THAT(refusal(folder / "a", 4), HasSubstr("has 5 bytes or more; at most 4 are accepted"));
  EXPECT_THAT(refusal(folder / "a", 5), "");
  for (const auto& path : {folder / "absent", folder.path(), folder / "pipe"})
    EXPECT_THAT(data::refusal_of([&] { MappedFile{path}; }), HasSubstr(path.string()));
}

TEST(Files, AFileThatDoesNotTellItsSizeIsReadToItsEnd) {
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("Pid:"));
  EXPECT_THAT(data::refusal_of([] { read_file("/proc/self/status", 10); }),
              HasSubstr("at most 10"));
}

TEST(AppendFile, AppendsLinesToWhatIsThere) {
  const TemporaryFolder folder;
  {
    AppendFile file(folder / "a");
    file.append("one");
    file.append("");
  }
  AppendFile(folder / "a").append("two");
  EXPECT_EQ(read_file(folder / "a"), "one\n\ntwo\n");
}

TEST(AppendFile, HasOneWriterAtATime) {
  const TemporaryFolder folder;
  {
    AppendFile file(folder / "a");
    EXPECT_THAT(data::refusal_of([&] { AppendFile(folder / "a"); }),
                HasSubstr("is being written by another process"));
  }
  AppendFile(folder / "a").append("x");
}

TEST(AppendFile, RefusesLinesThatAreSeveralAndPathsThatAreNoFile) {
  const TemporaryFolder folder;
  AppendFile file(folder / "a");
  EXPECT_THROW(file.append("one\ntwo"), std::invalid_argument);
  EXPECT_EQ(read_file(folder / "a"), "");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder / "a", folder / "link");
  for (const auto& path : {folder / "pipe", folder / "link", folder.path(), folder / "absent/a"})
    EXPECT_THAT(data::refusal_of([&] { AppendFile{path}; }), HasSubstr("could not be opened"))
        << path;
}

TEST(ProgramFolder, HoldsTheRunningProgram) {
  EXPECT_TRUE(std::filesystem::exists(program_folder() / ::program_invocation_short_name));
}

}  // namespace
}  // namespace ablate
