// Which arms sweep over a number.

#include "reports/analysis/sweeps/sweeps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<double> values_of_family(const SweptFamily& family) {
  std::vector<double> values;
  for (const SweptArm& arm : family.arms) values.push_back(arm.value);
  return values;
}

TEST(NumberSweeps, HaveTheValuesOfTheSettingsInOrder) {
  const store::Records records = with_sweep("mlm", {.5, .15, .3});
  const Analysis analysis = analyse(records);
  const std::vector<NumberSweep> sweeps = number_sweeps(analysis);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_EQ(sweeps[0].parameter, "objective.rate");
  ASSERT_THAT(sweeps[0].families, SizeIs(1));
  EXPECT_EQ(sweeps[0].families[0].name, "mlm");
  EXPECT_THAT(values_of_family(sweeps[0].families[0]), ElementsAre(.15, .3, .5));
  EXPECT_EQ(sweeps[0].families[0].arms[1].arm->name, "mlm[rate=0.3]");
}

TEST(NumberSweeps, OfOneParameterHaveAFamilyForEachEntry) {
  store::Records records = with_sweep("one", {.1, .2});
  const store::Records other = with_sweep("two", {.1, .4});
  for (std::size_t i = 2; i < other.plan["arms"].size(); ++i)
    records.plan["arms"].push_back(other.plan["arms"][i]);
  const Analysis analysis = analyse(records);
  const std::vector<NumberSweep> sweeps = number_sweeps(analysis);
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_THAT(sweeps[0].families, SizeIs(2));
}

TEST(NumberSweeps, AreNotMadeOfStrings) {
  store::Records records = with_sweep("mlm", {.15, .3});
  records.plan["arms"][2]["config"]["objective"]["rate"] = "0.15";
  records.plan["arms"][3]["config"]["objective"]["rate"] = "0.3";
  const Analysis analysis = analyse(records);
  EXPECT_THAT(number_sweeps(analysis), IsEmpty());
}

TEST(NumberSweeps, AreNotMadeOfTwoSettings) {
  store::Records records = with_sweep("mlm", {.15, .3});
  records.plan["arms"][3]["config"]["train"]["batch"] = 8;
  const Analysis analysis = analyse(records);
  EXPECT_THAT(number_sweeps(analysis), IsEmpty());
}

TEST(NumberSweeps, AreNotMadeOfArmsThatWereNamedOneByOne) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_THAT(number_sweeps(analysis), IsEmpty());
}

}  // namespace
}  // namespace ablate::reports
