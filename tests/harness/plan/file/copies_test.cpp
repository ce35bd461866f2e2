// Copies of an experiment's files: they are the same experiment wherever they are put.

#include "harness/plan/file/copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/plan/file/shipped.h"
#include "tests/temporary_folder.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

Sources sources_of(const fs::path& file) {
  Faults faults;
  Sources sources(file, faults);
  EXPECT_NO_THROW(faults.throw_if_any()) << file;
  return sources;
}

/// The sources that are read from copies of others, put into a folder of their own.
Sources from_copies(const Sources& sources, const fs::path& folder) {
  for (const auto& [name, text] : copies_of(sources)) {
    fs::create_directories((folder / name).parent_path());
    write_file(folder / name, text);
  }
  return sources_of(folder / "experiment.json");
}

/// What the copies may change: which files are extended, and where texts are.
Json without_places(Json value) {
  if (value.is_object())
    for (const char* key : {"extends", "paths", "train", "test", "path", "pairs"})
      if (value.contains(key) && !value[key].is_object()) value.erase(key);
  for (Json& below : value)
    if (below.is_structured()) below = without_places(below);
  return value;
}

/// Expects that every value below a pointer is given by the same file in the order of merging, with the same
/// order of keys.
void expect_given_alike(const Sources& one, const Sources& other, const std::string& pointer,
                        const Json& value) {
  EXPECT_EQ(one.order_of(pointer), other.order_of(pointer)) << pointer;
  EXPECT_EQ(one.keys(pointer), other.keys(pointer)) << pointer;
  if (value.is_object())
    for (const auto& [key, below] : value.items())
      expect_given_alike(one, other, pointer + "/" + key, below);
}

TEST(CopiesOfAnExperiment, AreTheSameExperimentForAllThatAreShipped) {
  int extending = 0;
  for (const std::string& name : shipped_names()) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    const Sources given = sources_of(*shipped_file(name));
    const Sources copied = from_copies(given, folder.path());
    EXPECT_EQ(without_places(given.merged()), without_places(copied.merged()));
    expect_given_alike(given, copied, "", without_places(given.merged()));
    extending += given.merged().contains("extends");
  }
  EXPECT_GT(extending, 20);
}

TEST(CopiesOfAnExperiment, HoldTheShippedTextsThatItReads) {
  const TemporaryFolder folder;
  const Sources given = sources_of(*shipped_file("lecture/masking"));
  const Sources copied = from_copies(given, folder.path());
  const auto text = [](const Sources& sources) {
    const Json corpus = sources.with_places(sources.merged().at("corpus"), "/corpus");
    return fs::path(corpus.at("paths").at(0).get<std::string>());
  };
  EXPECT_EQ(read_file(text(copied)), read_file(text(given)));
  EXPECT_EQ(text(copied).string().rfind(fs::canonical(folder.path()).string(), 0), 0u)
      << text(copied);
}

TEST(CopiesOfAnExperiment, KeepCommentsAndTellFilesOfOneNameApart) {
  const TemporaryFolder folder, copies;
  folder.write(".ablate", "");
  folder.write("a/base.json", R"({"seeds": 3, "name": "a"})");
  folder.write("base.json", R"({"extends": ["a/base.json"], "name": "outer"})");
  const fs::path file = folder.write(
      "deep/x.json",
      "// why\n{\"extends\": [\"../base.json\", \"../a/base.json\"], \"question\": \"?\"}\n");
  const Sources given = sources_of(file);
  const auto texts = copies_of(given);
  EXPECT_EQ(texts.size(), 3u);
  EXPECT_THAT(texts.at("experiment.json"),
              testing::StartsWith(
                  "// why\n{\"extends\": [\"experiment/2-base.json\", \"experiment/base.json\"]"));
  const Sources copied = from_copies(given, copies.path());
  EXPECT_EQ(without_places(copied.merged()), without_places(given.merged()));
  EXPECT_EQ(copied.merged().at("name"), "outer");
}

TEST(CopiesOfAnExperiment, LeaveOutTextsOfTheUsersOwn) {
  const TemporaryFolder folder;
  folder.write("mine.txt", "secret");
  const fs::path file =
      folder.write("x.json", R"({"corpus": {"kind": "text", "paths": ["mine.txt"]}})");
  EXPECT_THAT(copies_of(sources_of(file)),
              testing::ElementsAre(testing::Pair("experiment.json", testing::_)));
}

}  // namespace
}  // namespace ablate::plan
