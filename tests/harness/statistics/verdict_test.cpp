#include "harness/statistics/verdict.h"

#include <gtest/gtest.h>

namespace ablate::statistics {
namespace {

TEST(Verdict, HasANameForEach) {
  EXPECT_EQ(name_of(Verdict::better), "better");
  EXPECT_EQ(name_of(Verdict::worse), "worse");
  EXPECT_EQ(name_of(Verdict::equivalent), "equivalent");
  EXPECT_EQ(name_of(Verdict::inconclusive), "inconclusive");
  EXPECT_EQ(name_of(Verdict::incomparable), "incomparable");
}

}  // namespace
}  // namespace ablate::statistics
