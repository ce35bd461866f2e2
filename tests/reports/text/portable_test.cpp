// Text without the folders of a machine.

#include "reports/text/portable.h"

#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

TEST(WithoutFolders, ShortensAbsolutePathsToTheirLastName) {
  EXPECT_EQ(without_folders("/home/me/build/ablate run /home/me/e.json --out=/tmp/x/"),
            "ablate run e.json --out=x");
  EXPECT_EQ(without_folders("[\"/a/b.txt\",'/c/d.txt']"), "[\"b.txt\",'d.txt']");
}

TEST(WithoutFolders, LeavesEverythingElse) {
  for (const char* text : {"", "a/b/c.json", "../up/x", "./here", "https://example.org/a/b", "1/2",
                           "/", "and / or", "train.batch=8"})
    EXPECT_EQ(without_folders(text), text);
}

}  // namespace
}  // namespace ablate::reports
