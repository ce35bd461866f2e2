#include "harness/base/posix/replace_file.h"

#include <gmock/gmock.h>

#include "harness/base/files.h"
#include "tests/harness/data/folder.h"

namespace ablate {
namespace {

using testing::HasSubstr;

/// Both ways, which differ only in what a power failure leaves.
class ReplaceFile : public testing::TestWithParam<Synced> {
 protected:
  void replace(const std::string& name, std::string_view bytes) const {
    replace_file(folder_ / name, std::span(&bytes, 1), GetParam());
  }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  const TemporaryFolder folder_;
};

TEST_P(ReplaceFile, LeavesTheLastContentsAndNothingElse) {
  for (const std::string& bytes :
       {std::string("former"), std::string(), std::string("a\0\n\xFF", 4)}) {
    replace("a", bytes);
    EXPECT_EQ(read_file(folder_ / "a"), bytes);
    EXPECT_EQ(entries(), 1u);
  }
}

TEST_P(ReplaceFile, ThatFailsLeavesWhatWasThere) {
  std::filesystem::create_directory(folder_ / "a");
  EXPECT_THAT(data::refusal_of([&] { replace("a", "x"); }),
              HasSubstr("could not be replaced: Is a directory"));
  EXPECT_THAT(data::refusal_of([&] { replace("absent/a", "x"); }),
              HasSubstr("could not be created: No such file"));
  EXPECT_EQ(entries(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Both, ReplaceFile, testing::Values(Synced::yes, Synced::no));

}  // namespace
}  // namespace ablate
