#include "reports/analysis/comparisons/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/statistics/power.h"
#include "reports/analysis/compare.h"
#include "reports/formats/markdown.h"
#include "reports/tables/comparisons/noise_tables.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

const SeedSpread& spread_in(const std::vector<SeedSpread>& spreads, const std::string& arm,
                            const std::string& metric, bool paired) {
  for (const SeedSpread& each : spreads)
    if (each.arm == arm && each.metric == metric && each.paired == paired) return each;
  throw std::logic_error("no such spread");
}

TEST(Noise, IsTheDeviationOverSeedsAndItsInterval) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const std::vector<SeedSpread> spreads = spreads_of(analysis);
  const SeedSpread& clm = spread_in(spreads, "clm", "held_out.excess", false);
  EXPECT_EQ(clm.n, 6);
  EXPECT_NEAR(clm.mean, .225, 1e-12);
  EXPECT_NEAR(clm.deviation, .0187082869, 1e-9);
  EXPECT_NEAR(clm.interval.low / clm.deviation, .6242, 1e-4) << "the table's factor for 6 values";
  EXPECT_NEAR(clm.interval.high / clm.deviation, 2.4526, 1e-4);
}

TEST(Noise, OfADifferenceIsThatOfThePairs) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const std::vector<SeedSpread> spreads = spreads_of(analysis);
  const SeedSpread& paired = spread_in(spreads, "mlm", "held_out.excess", true);
  const Estimate& seen = analysis.difference("mlm", "held_out.excess")->over_seeds;
  EXPECT_DOUBLE_EQ(paired.deviation, statistics::deviation(present_values(seen)));
  ASSERT_TRUE(paired.variance_ratio);
  const double clm = spread_in(spreads, "clm", "held_out.excess", false).deviation;
  const double mlm = spread_in(spreads, "mlm", "held_out.excess", false).deviation;
  EXPECT_NEAR(*paired.variance_ratio,
              (clm * clm + mlm * mlm) / (paired.deviation * paired.deviation), 1e-9);
}

TEST(Noise, OfAnUnmeasuredDifferenceIsAsIfSeedsSharedNothing) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  std::vector<SeedSpread> spreads = spreads_of(analysis);
  EXPECT_TRUE(spread_of_difference(spreads, "mlm", "clm", "held_out.excess")->paired);
  std::erase_if(spreads, [](const SeedSpread& each) { return each.paired; });
  const auto independent = spread_of_difference(spreads, "mlm", "clm", "held_out.excess");
  ASSERT_TRUE(independent);
  EXPECT_NEAR(independent->deviation, .0187082869 * std::sqrt(2), 1e-9);
  EXPECT_FALSE(spread_of_difference({}, "mlm", "clm", "held_out.excess"));
}

TEST(Noise, LeavesOutMetricsThatArmsMayNotBeComparedIn) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  for (const SeedSpread& each : spreads_of(analysis)) {
    EXPECT_FALSE(each.metric == "held_out.loss" && each.paired);
  }
}

TEST(NoiseTables, SayWhichEffectNSeedsShowInTheMetricsUnit) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const Json json = noise_json(analysis, 1);
  const double deviation =
      spread_in(spreads_of(analysis), "mlm", "held_out.excess", true).deviation;
  for (const Json& effect : json.at("effects")) {
    if (effect.at("metric") != "held_out.excess") continue;
    EXPECT_DOUBLE_EQ(effect.at("seeds").at("8"),
                     deviation * *statistics::minimum_detectable_effect(8, .05, 1));
  }
  EXPECT_TRUE(noise_json(analysis, 3).at("effects").at(0).at("seeds").at("6").is_null())
      << "six seeds cannot reach .05 / 3";
}

TEST(NoiseTables, ShowNoMeanOfADifference) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const Json json = noise_json(analysis, 1);
  for (const Json& spread : json.at("spreads"))
    EXPECT_EQ(spread.contains("mean"), !spread.at("paired").get<bool>());
  std::string text;
  for (const Table& table : noise_tables(analysis, 1)) text += to_markdown(table);
  EXPECT_THAT(text, HasSubstr("Between seeds"));
  EXPECT_THAT(text, HasSubstr("found with power .8 by the sign-flip test at alpha 0.05."));
  EXPECT_THAT(text, Not(HasSubstr("Holm")));
  EXPECT_THAT(text, Not(HasSubstr("For two independent trials"))) << "both arms were measured";
}

TEST(NoiseTables, OfOneArmSayThatPairingIsNotKnown) {
  store::Records records = small_records();
  std::erase_if(records.trials, [](const store::TrialRecord& each) { return each.arm == "mlm"; });
  records.plan["arms"].erase(1);
  const Analysis analysis = analyse(records);
  std::string text;
  for (const Table& table : noise_tables(analysis, 2)) text += to_markdown(table);
  EXPECT_THAT(text, HasSubstr("clm\\*"));
  EXPECT_THAT(text, HasSubstr("For two independent trials: sqrt(2) times"));
  EXPECT_THAT(text, HasSubstr("Holm over 2 comparisons"));
}

}  // namespace
}  // namespace ablate::reports
