// Names of directions and of comparability, and the rule by which arms are compared.

#include "harness/contract/metrics/metric.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

TEST(Metric, AComparabilityIsReadBackFromItsName) {
  for (const Comparable across :
       {Comparable::same_objective, Comparable::same_family, Comparable::all_arms})
    EXPECT_EQ(comparable_from(name_of(across)), across);
}

TEST(Metric, WhichValuesAreBetterIsReadBackFromItsName) {
  for (const Better better : {Better::lower, Better::higher, Better::neither})
    EXPECT_EQ(better_from(name_of(better)), better);
}

TEST(Metric, OfAnUnknownDirectionNoValueIsBetter) {
  EXPECT_EQ(better_from("a word of a later version"), Better::neither);
  EXPECT_EQ(better_from(""), Better::neither);
}

TEST(Metric, AnUnknownComparabilityIsTheStrictest) {
  EXPECT_EQ(comparable_from("a word of a later version"), Comparable::same_objective);
  EXPECT_EQ(comparable_from(""), Comparable::same_objective);
}

TEST(Metric, ArmsAreComparableAsFarAsTheirObjectivesAgree) {
  const Json low = {{"type", "masked_lm"}, {"rate", .15}},
             high = {{"type", "masked_lm"}, {"rate", .5}};
  const Json causal = {{"type", "causal_lm"}};
  const ObjectiveSetting arm{"masked_lm", low}, same{"masked_lm", low},
      other_setting{"masked_lm", high}, other_objective{"causal_lm", causal};
  EXPECT_TRUE(comparable(Comparable::same_objective, arm, same));
  EXPECT_FALSE(comparable(Comparable::same_objective, arm, other_setting));
  EXPECT_FALSE(comparable(Comparable::same_objective, arm, other_objective));
  EXPECT_TRUE(comparable(Comparable::same_family, arm, other_setting));
  EXPECT_FALSE(comparable(Comparable::same_family, arm, other_objective));
  EXPECT_TRUE(comparable(Comparable::all_arms, arm, other_objective));
}

}  // namespace
}  // namespace ablate
