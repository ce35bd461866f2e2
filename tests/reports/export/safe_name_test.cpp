// Names of files: whatever is named, they stay in their folder and apart.

#include "reports/export/safe_name.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

TEST(SafeName, LeavesPlainNamesAsTheyAre) {
  for (const char* name : {"held_out.loss", "mlm-30", "A_b.c-9"})
    EXPECT_EQ(safe_file_name(name), name);
  EXPECT_EQ(safe_file_name("mlm[rate=0.15]", "[]=,"), "mlm[rate=0.15]");
}

TEST(SafeName, HasNothingThatAFileSystemOrAShellObeys) {
  const std::string long_name(5000, 'x');
  std::set<std::string> seen;
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../../etc/passwd"),
        std::string("/"), std::string("-rf"), std::string("a b"), std::string("a\nb"),
        std::string("a\0b", 3), std::string(".hidden"), std::string("é"), long_name,
        long_name + "y", kHostile}) {
    const std::string safe = safe_file_name(name);
    EXPECT_TRUE(seen.insert(safe).second) << safe;
    EXPECT_LE(safe.size(), 120u);
    EXPECT_TRUE(!safe.empty() && safe[0] != '.' && safe != name) << safe;
    EXPECT_EQ(
        safe.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-."),
        safe.npos)
        << safe;
    EXPECT_EQ(safe, safe_file_name(name));
  }
}

TEST(SafeName, UrisAreEscaped) {
  EXPECT_EQ(file_uri("/tmp/a b/%é"), "file:///tmp/a%20b/%25%C3%A9");
}

}  // namespace
}  // namespace ablate::reports
