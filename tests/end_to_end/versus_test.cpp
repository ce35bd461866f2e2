// The comparison with PyTorch trainers picks the peer, computes ratios and leaves out what cannot
// win, as documented.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/paths.h"

namespace ablate {
namespace {

TEST(Versus, ComparesWithTheBestPeerOfEachRoundAndLeavesOutTheHopeless) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  const std::string check =
      "python3 '" + (project_root() / "tests/bench/versus/versus").string() + "' --self-check";
  EXPECT_EQ(std::system(check.c_str()), 0);
}

}  // namespace
}  // namespace ablate
