// The gate's rules: on numbers made by hand, and on simulated nights.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/base/exit_code.h"
#include "harness/nightly/judge/benchmarks.h"
#include "harness/nightly/judge/quality.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/selftest.h"

namespace ablate::nightly {
namespace {

// Fifteen times around a second, none twice.
std::vector<double> times(double factor, double offset = 0) {
  std::vector<double> seconds;
  for (int i = 0; i < 15; ++i) seconds.push_back(factor * (1 + 0.001 * i + offset));
  return seconds;
}

TEST(JudgeSpeed, EqualTimesPass) {
  EXPECT_EQ(judge_speed("s", times(1), times(1, 0.0005)).verdict, Verdict::pass);
}

TEST(JudgeSpeed, ATenthSlowerIsARegressionAndFasterAnImprovement) {
  const Finding slower = judge_speed("s", times(1), times(1.1));
  EXPECT_EQ(slower.verdict, Verdict::regression);
  EXPECT_NEAR(slower.numbers.at("ratio"), 1.1, 1e-12);
  EXPECT_EQ(judge_speed("s", times(1.1), times(1)).verdict, Verdict::improvement);
}

// Each condition alone keeps a series quiet.
TEST(JudgeSpeed, AskesForARankARatioAndAnAbsoluteDifference) {
  EXPECT_EQ(judge_speed("s", times(1), times(1.02)).verdict, Verdict::pass) << "2 %";
  EXPECT_EQ(judge_speed("s", times(1e-8), times(1.1e-8)).verdict, Verdict::pass) << "a nanosecond";
  EXPECT_EQ(judge_speed("s", times(1), times(1.1), {.usual = 0.2}).verdict, Verdict::pass)
      << "this machine's benchmark differs by that much by itself";
  std::vector<double> noisy = times(1);
  for (std::size_t i = 0; i < noisy.size(); i += 2) noisy[i] = 1.3;
  EXPECT_EQ(judge_speed("s", times(1), noisy).verdict, Verdict::pass) << "half of them";
}

TEST(JudgeSpeed, NothingToCompareIsNoPass) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(judge_speed("s", times(1), {}).verdict, Verdict::no_data);
  EXPECT_EQ(judge_speed("s", {}, times(1)).verdict, Verdict::no_data);
  EXPECT_EQ(judge_speed("s", times(1), std::vector{1.0, nan}).verdict, Verdict::no_data);
  EXPECT_EQ(judge_speed("s", times(1), std::vector{1.0, 0.0}).verdict, Verdict::no_data);
}

TEST(JudgeSpeed, TooFewRepetitionsAreInconclusive) {
  const std::vector<double> few = {1, 1.1, 1.2, 1.3, 1.4}, slow = {2, 2.1, 2.2, 2.3, 2.4};
  EXPECT_EQ(judge_speed("s", few, slow).verdict, Verdict::inconclusive);
}

TEST(Confirmed, AnAlarmNeedsASecondMeasurementOfTheSameKind) {
  const Finding alarm = judge_speed("s", times(1), times(1.1)),
                quiet = judge_speed("s", times(1), times(1)),
                other = judge_speed("s", times(1.1), times(1));
  EXPECT_EQ(confirmed(alarm, &alarm).verdict, Verdict::regression);
  EXPECT_EQ(confirmed(alarm, &quiet).verdict, Verdict::pass);
  EXPECT_EQ(confirmed(alarm, &other).verdict, Verdict::pass);
  EXPECT_EQ(confirmed(alarm, nullptr).verdict, Verdict::inconclusive);
  EXPECT_EQ(confirmed(quiet, nullptr).verdict, Verdict::pass);
  const Finding untold = judge_speed("s", times(1), {});
  EXPECT_EQ(confirmed(alarm, &untold).verdict, Verdict::inconclusive);
}

Verdict verdict_of(const Repetitions& baseline, const Repetitions& now) {
  TimedNight night;
  night.first["s"] = {{"baseline", baseline}, {"now", now}};
  night.now = night.baseline = {"s"};
  return judge_benchmarks(night).front().verdict;
}

TEST(JudgeBenchmarks, MachinesAndUnitsAreNotMixed) {
  const Repetitions usual = {times(1), {"s"}, {"a"}};
  EXPECT_EQ(verdict_of(usual, usual), Verdict::pass);
  EXPECT_EQ(verdict_of(usual, {times(1), {"s"}, {"b"}}), Verdict::no_data);
  EXPECT_EQ(verdict_of(usual, {times(1), {"s"}, {"a", "b"}}), Verdict::no_data);
  EXPECT_EQ(verdict_of(usual, {times(1), {"ms"}, {"a"}}), Verdict::no_data);
  EXPECT_EQ(verdict_of({times(1), {"ms"}, {"a"}}, {times(1), {"ms"}, {"a"}}), Verdict::no_data);
}

TEST(JudgeBenchmarks, ABenchmarkOfOneProgramIsNewOrMissing) {
  TimedNight night;
  night.first["s"]["now"] = {times(1), {"s"}, {"a"}};
  night.now = {"s"};
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::changed);
  night.failures["baseline"] = "crashed";
  const std::vector<Finding> failed = judge_benchmarks(night);
  ASSERT_EQ(failed.size(), 3u);
  EXPECT_EQ(failed[0].verdict, Verdict::no_data) << "not known to be new";
  EXPECT_EQ(failed[1].series, "benchmarks/now");
  EXPECT_EQ(failed[1].verdict, Verdict::pass);
  EXPECT_EQ(failed[2].series, "benchmarks/baseline");
  EXPECT_EQ(failed[2].verdict, Verdict::no_data);
  EXPECT_EQ(judge_benchmarks({}).back().verdict, Verdict::no_data) << "none at all";
}

// Rows that were lost are not a benchmark that the baseline never had.
TEST(JudgeBenchmarks, ABenchmarkWhoseRowsAreGoneIsNotNew) {
  const Repetitions usual = {times(1), {"s"}, {"a"}};
  TimedNight night;
  night.now = night.baseline = {"s"};
  night.first["s"]["now"] = usual;
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::no_data);
  night.first.clear();
  night.first["s"]["baseline"] = usual;
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::no_data);
  night.first.clear();
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::no_data);
  night.first["s"] = {{"baseline", usual}, {"now", usual}};
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::pass);
  night.now.clear();
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::no_data)
      << "tonight's has it no more";
}

TEST(JudgeBenchmarks, FewerRepetitionsThanWereAskedForAreNoData) {
  TimedNight night;
  night.now = night.baseline = {"s"};
  night.first["s"] = {{"baseline", {times(1), {"s"}, {"a"}}}, {"now", {times(1), {"s"}, {"a"}}}};
  night.repetitions = 15;
  EXPECT_EQ(judge_benchmarks(night).front().verdict, Verdict::pass);
  night.first["s"]["baseline"].values.pop_back();
  const Finding finding = judge_benchmarks(night).front();
  EXPECT_EQ(finding.verdict, Verdict::no_data);
  EXPECT_EQ(finding.reason, "14 of 15 repetitions were measured of the baseline's program");
}

// Quartiles .75 and .25 of 1 ... 5 hundredths: 4 + 3 (4 - 2).
TEST(UsualLogRatio, IsTheThirdQuartileAndThreeRanges) {
  EXPECT_NEAR(usual_log_ratio(std::vector{-0.01, 0.02, -0.03, 0.04, 0.05}), 0.1, 1e-12);
  EXPECT_EQ(usual_log_ratio({}), 0);
}

std::vector<double> around(double centre) {
  return {centre - .01, centre + .01,  centre - .005, centre + .005,
          centre,       centre - .008, centre + .008, centre};
}

Verdict quality(double centre) {
  return judge_quality({{"s", around(centre), 0.02}}).front().verdict;
}

TEST(JudgeQuality, TellsTheThreeCasesApart) {
  EXPECT_EQ(quality(0), Verdict::pass);
  EXPECT_EQ(quality(0.04), Verdict::regression);
  EXPECT_EQ(quality(-0.04), Verdict::improvement);
  EXPECT_EQ(quality(0.02), Verdict::inconclusive);
}

TEST(JudgeQuality, AnInconclusiveSeriesSaysHowManySeedsWouldTell) {
  const Finding finding = judge_quality({{"s", {0.03, -0.03, 0.02, -0.02}, 0.02}}).front();
  EXPECT_EQ(finding.verdict, Verdict::inconclusive);
  EXPECT_NE(finding.reason.find(" seeds would tell"), std::string::npos) << finding.reason;
}

// Calibrated: what the seeds hold is better known than from tonight's few differences.
TEST(JudgeQuality, AnInconclusiveSeriesNamesTheCalibratedMargin) {
  const Finding finding = judge_quality({{"s", {0.03, -0.03, 0.02, -0.02}, 0.02, 0.05}}).front();
  EXPECT_NE(finding.reason.find("hold a margin of 0.05"), std::string::npos) << finding.reason;
}

TEST(JudgeQuality, SeedsWithoutSpreadDoNotBreakTheArithmetic) {
  EXPECT_EQ(judge_quality({{"s", {0.02, 0.02, 0.02}, 0.02}}).front().verdict,
            Verdict::inconclusive);
}

TEST(JudgeQuality, OneSeedIsNoData) {
  const Finding one = judge_quality({{"s", {0.0}, 0.02}}).front();
  EXPECT_EQ(one.verdict, Verdict::no_data);
  EXPECT_EQ(one.reason, "1 seed in common; two are needed");
  EXPECT_TRUE(judge_quality({}).empty());
}

// Holm: what is an alarm alone is none among forty.
TEST(JudgeQuality, ManySeriesRaiseTheBarForAnAlarmAndNotForAPass) {
  const QualitySeries edge = {"edge", around(0.0266), 0.02}, fine = {"fine", around(0), 0.02};
  EXPECT_EQ(judge_quality({edge}).front().verdict, Verdict::regression);
  std::vector<QualitySeries> many(40, fine);
  many.push_back(edge);
  const std::vector<Finding> found = judge_quality(many);
  EXPECT_EQ(found.back().verdict, Verdict::inconclusive);
  EXPECT_EQ(found.front().verdict, Verdict::pass);
}

TEST(Overall, RanksVerdicts) {
  const auto of = [](std::vector<Verdict> verdicts) {
    std::vector<Finding> findings;
    for (const Verdict verdict : verdicts) findings.push_back({"s", Kind::exact, verdict, ""});
    return exit_code_of(overall(findings));
  };
  EXPECT_EQ(of({}), exit_inconclusive) << "no data is no pass";
  EXPECT_EQ(of({Verdict::pass, Verdict::changed, Verdict::improvement}), exit_ok);
  EXPECT_EQ(of({Verdict::pass, Verdict::inconclusive}), exit_inconclusive);
  EXPECT_EQ(of({Verdict::no_data, Verdict::regression, Verdict::inconclusive}), exit_regression);
}

TEST(SelfTest, EveryStreamIsAsExpected) {
  for (const std::int64_t nights : {1000, 300, 100})  // fewer have a larger Monte-Carlo error
    for (const StreamResult& stream : selftest(nights))
      EXPECT_TRUE(stream.holds) << nights << " nights, " << stream.stream << ": "
                                << stream.regressions << " regressions, " << stream.improvements
                                << " improvements; " << stream.expected;
}

// That the directions are alike says nothing of streams that raise no alarm at all.
TEST(SelfTest, CountsBothDirectionsWhereThereIsSomethingToCount) {
  std::size_t counted = 0;
  for (const StreamResult& stream : selftest(1000)) {
    if (stream.expected.find("p below .002") == std::string::npos &&
        stream.expected.find("alarms in .025") == std::string::npos)
      continue;
    ++counted;
    EXPECT_GE(stream.regressions, 5) << stream.stream;
    EXPECT_GE(stream.improvements, 5) << stream.stream;
  }
  EXPECT_EQ(counted, 5u) << "four of speed, one of quality";
}

}  // namespace
}  // namespace ablate::nightly
