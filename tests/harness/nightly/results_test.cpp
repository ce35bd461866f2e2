// Two results of one experiment, compared.

#include "harness/nightly/judge/results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/contract/metrics/metric.h"
#include "tests/edited_curve.h"

namespace ablate::nightly {
namespace {

const Margins kMargins = {{{"held_out.loss", 0.1}, {"topic.accuracy", 0.1}}, {}};

store::Records records() {
  store::Records made;
  made.plan = {{"arms", {{{"name", "clm"}}}},
               {"ledger", {{{"arm", "clm"}, {"parameters", 100}, {"flops", 1e9}}}},
               {"metrics",
                {{"clm",
                  {{{"name", "held_out.loss"}, {"better", "lower"}},
                   {{"name", "topic.accuracy"}, {"better", "higher"}},
                   {{"name", "topic.majority"}, {"better", "neither"}}}}}}};
  for (std::int64_t seed = 1; seed <= 4; ++seed) {
    store::TrialRecord trial;
    trial.id = "id" + std::to_string(seed);
    trial.arm = "clm";
    trial.seed = seed;
    trial.outcome = "completed";
    trial.metrics = {{"held_out.loss", 2 + 0.01 * static_cast<double>(seed)},
                     {"topic.accuracy", 0.7}};
    trial.curve = {{.step = 1, .loss = 3.5}, {.step = 2, .loss = 2.5}};
    made.trials.push_back(trial);
  }
  return made;
}

std::map<std::string, Verdict> verdicts(const Compared& compared) {
  std::map<std::string, Verdict> found;
  for (const Finding& finding : compared.findings) found[finding.series] = finding.verdict;
  for (const Finding& finding : judge_quality(compared.quality))
    found[finding.series] = finding.verdict;
  return found;
}

std::map<std::string, Verdict> compared(const store::Records& now) {
  return verdicts(compare("e", records(), now, kMargins));
}

TEST(CompareResults, TheSameBitsPassWithoutStatistics) {
  const Compared same = compare("e", records(), records(), kMargins);
  EXPECT_TRUE(same.quality.empty());
  const auto found = verdicts(same);
  EXPECT_EQ(found.size(), 5u);
  for (const auto& [series, verdict] : found) EXPECT_EQ(verdict, Verdict::pass) << series;
}

TEST(CompareResults, FindingsHaveWhatTheHistoryShows) {
  store::Records now = records();
  const auto numbers = [&](const std::string& series) {
    const Compared found = compare("e", records(), now, kMargins);
    for (const Finding& finding : found.findings)
      if (finding.series == series) return finding.numbers;
    for (const Finding& finding : judge_quality(found.quality))
      if (finding.series == series) return finding.numbers;
    return Json();
  };
  const Json same = numbers("e/clm/held_out.loss");
  EXPECT_NEAR(same.at("now").get<double>(), 2.025, 1e-12);
  EXPECT_EQ(same.at("now"), same.at("baseline"));
  EXPECT_EQ(same.at("better"), "lower");
  EXPECT_EQ(same.at("margin"), 0.1);
  const Json plan = numbers("e/clm/plan"), bits = numbers("e/clm/bits");
  now.trials[2].metrics["held_out.loss"] += 0.04;
  const Json other = numbers("e/clm/held_out.loss");
  EXPECT_NEAR(other.at("now").get<double>(), 2.035, 1e-12);
  EXPECT_NEAR(other.at("baseline").get<double>(), 2.025, 1e-12);
  EXPECT_EQ(numbers("e/clm/plan"), plan);
  EXPECT_NE(numbers("e/clm/bits"), bits);
}

TEST(CompareResults, AnotherPlanIsARegressionUntilItIsPinned) {
  store::Records now = records();
  now.plan["ledger"][0]["flops"] = 2e9;
  const Compared found = compare("e", records(), now, kMargins);
  EXPECT_EQ(verdicts(found).at("e/clm/plan"), Verdict::regression);
  EXPECT_NE(found.findings.front().reason.find("flops: 1000000000.0 before, 2000000000.0 now"),
            std::string::npos)
      << found.findings.front().reason;
}

// A last bit of one loss: the metrics decide, and they are the same.
TEST(CompareResults, OtherBitsLetTheMetricsDecide) {
  store::Records now = records();
  testing_support::edit_point(now.trials[2].curve, 1, [](store::CurvePoint& point) {
    point.loss = std::nextafter(point.loss, 3);
  });
  const auto found = compared(now);
  EXPECT_EQ(found.at("e/clm/bits"), Verdict::changed);
  EXPECT_EQ(found.at("e/clm/held_out.loss"), Verdict::pass);
}

TEST(CompareResults, AnotherTimeIsNoOtherBit) {
  store::Records before = records(), now = records();
  for (store::Records* one : {&before, &now})
    one->plan["metrics"]["clm"].push_back({{"name", "speed"}, {"unit", kRatioOfSeconds}});
  before.trials[2].metrics["speed"] = 1.5;
  now.trials[2].metrics["speed"] = 1.6;
  EXPECT_EQ(verdicts(compare("e", before, now, kMargins)).at("e/clm/bits"), Verdict::pass);
  now.trials[2].metrics["topic.accuracy"] = 0.71;
  EXPECT_EQ(verdicts(compare("e", before, now, kMargins)).at("e/clm/bits"), Verdict::changed);
}

TEST(CompareResults, AWorseMetricIsARegressionInItsOwnDirection) {
  store::Records worse = records(), better = records();
  for (std::size_t i = 0; i < 4; ++i) {
    const double noise = 0.001 * static_cast<double>(i);
    worse.trials[i].metrics["held_out.loss"] += 0.3 + noise;
    worse.trials[i].metrics["topic.accuracy"] -= 0.3 + noise;
    better.trials[i].metrics["held_out.loss"] -= 0.3 + noise;
    better.trials[i].metrics["topic.accuracy"] += 0.25 + noise;
  }
  for (const char* const series : {"e/clm/held_out.loss", "e/clm/topic.accuracy"}) {
    EXPECT_EQ(compared(worse).at(series), Verdict::regression) << series;
    EXPECT_EQ(compared(better).at(series), Verdict::improvement) << series;
  }
}

// Seven good seeds do not hide the eighth.
TEST(CompareResults, AMetricThatIsNoNumberOrNotThereIsNoPass) {
  store::Records now = records();
  now.trials[2].metrics["held_out.loss"] = std::nan("");
  EXPECT_EQ(compared(now).at("e/clm/held_out.loss"), Verdict::regression);
  now.trials[2].metrics.erase("held_out.loss");
  EXPECT_EQ(compared(now).at("e/clm/held_out.loss"), Verdict::no_data);
}

TEST(CompareResults, AMarginCanBeTheCalibratedOne) {
  store::Records now = records();
  for (std::size_t i = 0; i < 4; ++i)
    now.trials[i].metrics["held_out.loss"] += 0.001 * static_cast<double>(i);
  Margins margins = {{{"held_out.loss", std::nullopt}}, {}};
  EXPECT_EQ(verdicts(compare("e", records(), now, margins)).at("e/clm/held_out.loss"),
            Verdict::no_data)
      << "neither stated nor calibrated";
  margins.held["e/clm/held_out.loss"] = 0.1;
  EXPECT_EQ(verdicts(compare("e", records(), now, margins)).at("e/clm/held_out.loss"),
            Verdict::pass);
  margins.held["e/clm/held_out.loss"] = 1e-6;
  EXPECT_NE(verdicts(compare("e", records(), now, margins)).at("e/clm/held_out.loss"),
            Verdict::pass);
}

TEST(CompareResults, JudgedValuesAreThoseOfCompletedTrialsBySeries) {
  store::Records all = records();
  all.trials[1].outcome = "failed";
  auto wanted = kMargins.stated;
  wanted["topic.majority"] = 0.1;
  const auto values = judged_values("e", all, wanted);
  EXPECT_EQ(values.size(), 2u) << "no direction, no series";
  EXPECT_EQ(values.at("e/clm/held_out.loss"), (std::vector<double>{2.01, 2.03, 2.04}));
}

// A metric that tonight's plan no longer has is not one that nobody asked for.
TEST(CompareResults, AMetricThatOnlyOnePlanHasIsNoPass) {
  const auto without = [](store::Records all, const char* metric) {
    Json& rows = all.plan["metrics"]["clm"];
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [&](const Json& row) { return row.at("name") == metric; }),
               rows.end());
    return all;
  };
  const store::Records less = without(records(), "topic.accuracy");
  EXPECT_EQ(verdicts(compare("e", records(), less, kMargins)).at("e/clm/topic.accuracy"),
            Verdict::no_data);
  EXPECT_EQ(verdicts(compare("e", less, records(), kMargins)).at("e/clm/topic.accuracy"),
            Verdict::changed);
  EXPECT_FALSE(verdicts(compare("e", less, less, kMargins)).contains("e/clm/topic.accuracy"))
      << "no series of this arm";
  store::Records turned = records();
  turned.plan["metrics"]["clm"][1]["better"] = "lower";
  EXPECT_EQ(verdicts(compare("e", records(), turned, kMargins)).at("e/clm/topic.accuracy"),
            Verdict::no_data)
      << "better in the other direction";
}

TEST(CompareResults, AMetricThatNoTrialMeasuredIsNoPassWhateverTheBits) {
  store::Records before = records();
  for (store::TrialRecord& trial : before.trials) trial.metrics.erase("topic.accuracy");
  const auto found = verdicts(compare("e", before, before, kMargins));
  EXPECT_EQ(found.at("e/clm/bits"), Verdict::pass);
  EXPECT_EQ(found.at("e/clm/topic.accuracy"), Verdict::no_data);
}

TEST(CompareResults, OtherBitsThatNoMetricJudgesAreInconclusive) {
  store::Records now = records();
  testing_support::edit_point(now.trials[2].curve, 1, [](store::CurvePoint& point) {
    point.loss = std::nextafter(point.loss, 3);
  });
  EXPECT_EQ(verdicts(compare("e", records(), now, {})).at("e/clm/bits"), Verdict::inconclusive);
  EXPECT_EQ(verdicts(compare("e", records(), records(), {})).at("e/clm/bits"), Verdict::pass);
}

TEST(CompareResults, ABaselineThatCrashedSaysSo) {
  store::Records before = records();
  for (store::TrialRecord& trial : before.trials) {
    trial.outcome = "failed";
    trial.message = "the worker crashed: signal 11";
    trial.metrics.clear();
  }
  const Compared crashed = compare("e", before, records(), kMargins);
  const auto found = verdicts(crashed);
  for (const char* const series : {"e/clm/trials", "e/clm/held_out.loss", "e/clm/topic.accuracy"})
    EXPECT_EQ(found.at(series), Verdict::no_data) << series;
  for (const Finding& finding : crashed.findings) {
    if (finding.verdict != Verdict::no_data) continue;
    EXPECT_NE(
        finding.reason.find("the baseline's program has no result of 4 of 4 trials: the worker "
                            "crashed: signal 11"),
        std::string::npos)
        << finding.reason;
  }
}

TEST(CompareResults, ATrialThatNoLongerCompletesIsARegression) {
  store::Records now = records();
  now.trials[0].outcome = "diverged";
  now.trials[0].metrics.clear();
  EXPECT_EQ(compared(now).at("e/clm/trials"), Verdict::regression);
  now.trials[0].outcome = "unfinished";
  EXPECT_EQ(compared(now).at("e/clm/trials"), Verdict::no_data);
}

// A crash is worse than training that diverges, and must not hide behind it.
TEST(CompareResults, ATrialThatFailsWhereTheBaselinesDivergedIsARegression) {
  store::Records before = records(), now = records();
  before.trials[0].outcome = now.trials[0].outcome = "diverged";
  before.trials[0].metrics.clear();
  now.trials[0].metrics.clear();
  EXPECT_EQ(verdicts(compare("e", before, now, kMargins)).at("e/clm/trials"), Verdict::pass);
  now.trials[0].outcome = "failed";
  EXPECT_EQ(verdicts(compare("e", before, now, kMargins)).at("e/clm/trials"), Verdict::regression);
  now.trials[0].outcome = "completed";
  EXPECT_EQ(verdicts(compare("e", before, now, kMargins)).at("e/clm/trials"), Verdict::pass);
}

TEST(CompareResults, ArmsThatOnlyOneSideHasAreNeverAPass) {
  store::Records now = records();
  now.plan["arms"][0]["name"] = "other";
  const auto found = compared(now);
  EXPECT_EQ(found.at("e/clm/plan"), Verdict::no_data);
  EXPECT_EQ(found.at("e/other/plan"), Verdict::changed);
}

}  // namespace
}  // namespace ablate::nightly
