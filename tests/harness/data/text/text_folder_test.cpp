// Links in folders of text: followed wherever they lead, refused in a loop, told where left out.

#include "harness/data/text/text_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "harness/base/files.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Found {
  std::vector<std::string> names;  // below the folder
  LinksLeftOut left_out;
};

Found found_in(const fs::path& folder, const std::string& glob = "*") {
  Found found;
  for (const fs::path& file : files_below(folder, glob, found.left_out))
    found.names.push_back(file.lexically_relative(folder).string());
  return found;
}

// Links in snapshots name files in blobs, whose names are hashes.
TEST(FilesBelow, AreThoseOfACacheThatIsNothingButLinks) {
  const TemporaryFolder cache;
  cache.write("blobs/0a", "one");
  cache.write("blobs/0b", "two");
  const fs::path snapshot = cache / "snapshots/rev1";
  fs::create_directories(snapshot / "data");
  fs::create_symlink("../../blobs/0a", snapshot / "a.txt");
  fs::create_symlink("../../../blobs/0b", snapshot / "data/b.txt");
  const Found found = found_in(snapshot, "*.txt");
  EXPECT_THAT(found.names, ElementsAre("a.txt", "data/b.txt"));
  EXPECT_EQ(read_file(snapshot / found.names[1]), "two");
  EXPECT_THAT(found.left_out.sentences(), IsEmpty());
}

TEST(FilesBelow, AreFollowedIntoFoldersElsewhere) {
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("deep/a.txt", "x");
  elsewhere.write("deep/.hidden/b.txt", "x");
  fs::create_symlink("a.txt", elsewhere / "deep/link.txt");
  fs::create_directory_symlink(elsewhere.path(), folder / "there");
  fs::create_directory_symlink(elsewhere.path(), folder / ".not_there");
  const Found found = found_in(folder.path(), "*.txt");
  EXPECT_THAT(found.names, ElementsAre("there/deep/a.txt"));
  EXPECT_EQ(found.left_out.count(), 1) << "the link beside the file that it names";
}

// The second link leads to more of what the first one leads to.
TEST(FilesBelow, AreReadOnceWhereFoldersElsewhereOverlap) {
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("deep/a.txt", "x");
  elsewhere.write("b.txt", "x");
  fs::create_directory_symlink(elsewhere / "deep", folder / "1");
  fs::create_directory_symlink(elsewhere.path(), folder / "2");
  EXPECT_THAT(found_in(folder.path()).names, ElementsAre("1/a.txt", "2/b.txt"));
}

// A file is read once, under its own name where it has one below the folder.
TEST(FilesBelow, AreReadOnceWhateverNamesThem) {
  const TemporaryFolder folder;
  folder.write("z.txt", "x");
  folder.write("sub/y.txt", "x");
  fs::create_symlink("z.txt", folder / "a.txt");
  fs::create_directory_symlink("sub", folder / "again");
  fs::create_directory_symlink("sub", folder / "once_more");
  const Found found = found_in(folder.path());
  EXPECT_THAT(found.names, ElementsAre("sub/y.txt", "z.txt"));
  EXPECT_THAT(
      found.left_out.sentences(),
      ElementsAre(AllOf(HasSubstr("3 links are left out, because what they name is read under "
                                  "another name, among them"),
                        HasSubstr("/a.txt'"))));
}

TEST(FilesBelow, AreWithoutWhatIsNotThereAndSaySo) {
  const TemporaryFolder folder;
  folder.write("a.txt", "x");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("gone", folder / "b.txt");
  fs::create_symlink("pipe", folder / "c.txt");
  fs::create_symlink("gone", folder / "d.md");
  const Found found = found_in(folder.path(), "*.txt");
  EXPECT_THAT(found.names, ElementsAre("a.txt"));
  EXPECT_THAT(found.left_out.sentences(),
              ElementsAre(HasSubstr("b.txt' is left out, because what it names does not exist"),
                          HasSubstr("c.txt' is left out, because what it names is no file")));
}

TEST(FilesBelow, AreRefusedInALoop) {
  const auto refusal = [](const fs::path& target) {
    const TemporaryFolder folder;
    folder.write("sub/a.txt", "x");
    fs::create_symlink(target, folder / "sub/link");
    return refusal_of([&] { found_in(folder.path()); });
  };
  EXPECT_THAT(refusal(".."), AllOf(HasSubstr("sub/link' is a link to '..', which leads back to it"),
                                   HasSubstr("remove the link")));
  EXPECT_THAT(refusal("."), HasSubstr("leads back"));
  EXPECT_THAT(refusal("link"), HasSubstr("leads back")) << "a link to itself";
}

TEST(LinksLeftOut, AddUp) {
  LinksLeftOut one, other;
  one.add(LinkFault::dangling, "a");
  other.add(LinkFault::dangling, "b");
  one.add(other);
  EXPECT_EQ(one.count(), 2);
  EXPECT_THAT(one.sentences(), ElementsAre(HasSubstr("among them 'a'")));
}

}  // namespace
}  // namespace ablate::data
