// The commit that goes into every record, as CMake finds it out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/base/files.h"
#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;
using testing::MatchesRegex;

class Commit : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
    git("init");
    folder.write("sources/model.cpp", "int width = 64;\n");
    git("add -A");
    git("commit -m first");
  }

  /// Runs git in the sources, whatever the settings of this user are.
  void git(const std::string& command) const {
    fs::create_directories(sources);
    const std::string line = "GIT_CONFIG_GLOBAL=/dev/null git -C '" + sources.string() +
                             "' -c user.name=A -c user.email=a@b " + command + " > /dev/null 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << command;
  }

  std::string commit_of(const fs::path& place) const {
    const std::string line = "GIT_CEILING_DIRECTORIES='" + folder.path().string() +
                             "' cmake -D FOLDER='" + place.string() + "' -P " +
                             (project_root() / "experiments/worker/commit.cmake").string() +
                             " > '" + (folder / "said").string() + "'";
    EXPECT_EQ(std::system(line.c_str()), 0);
    std::string said = read_file(folder / "said");
    if (said.starts_with("-- ")) said.erase(0, 3);
    if (said.ends_with('\n')) said.pop_back();
    return said;
  }

  const TemporaryFolder folder;
  const fs::path sources = folder / "sources";
};

TEST_F(Commit, IsThatOfTheSources) {
  EXPECT_THAT(commit_of(sources), MatchesRegex("[0-9a-f]{7,40}"));
}

TEST_F(Commit, SaysThatTheSourcesWereChanged) {
  folder.write("sources/model.cpp", "int width = 65;\n");
  EXPECT_THAT(commit_of(sources), MatchesRegex("[0-9a-f]{7,40}-dirty"));
}

TEST_F(Commit, IsThatOfAShallowClone) {
  git("commit --allow-empty -m second");
  git("clone --depth 1 'file://" + sources.string() + "' ../clone");
  EXPECT_THAT(commit_of(folder / "clone"), MatchesRegex("[0-9a-f]{7,40}"));
}

TEST_F(Commit, IsUnknownWithoutGitOrWithoutACommit) {
  fs::create_directory(folder / "unpacked");
  EXPECT_EQ(commit_of(folder / "unpacked"), "unknown");
  fs::remove_all(sources / ".git");
  git("init");
  EXPECT_EQ(commit_of(sources), "unknown");
}

}  // namespace
}  // namespace ablate
