// Metrics on the way: courses, which arm is ahead, and where in training it is overtaken.

#include "reports/analysis/dynamics/overtaking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reports/formats/csv.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/files.h"
#include "tests/reports/found.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Starts above the line of clm and crosses it after 40 steps.
double crossing_at_40(std::int64_t step) { return 1.2 - .015 * static_cast<double>(step); }

/// Stays above it.
double always_above(std::int64_t step) { return 1.2 - .01 * static_cast<double>(step); }

std::vector<SweptPair> pairs_of(const Analysis& analysis, Quantity quantity) {
  static std::vector<Course> courses;  // what pairs point into is the analysis alone
  courses = courses_of(analysis);
  return training_pairs(analysis, courses, quantity);
}

TEST(Courses, EndWithWhatIsTrained) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  const Analysis analysis = analyse(records);
  const std::vector<Course> courses = courses_of(analysis);
  ASSERT_THAT(courses, SizeIs(4)) << "loss and excess of two arms";
  const Course& mlm = courses.at(3);
  EXPECT_EQ(mlm.metric->name, "held_out.excess");
  EXPECT_EQ(mlm.arm->name, "mlm");
  ASSERT_THAT(mlm.points, SizeIs(3));
  EXPECT_EQ(mlm.points[1].step, 30);
  EXPECT_EQ(mlm.points[2].step, 100);
  EXPECT_EQ(mlm.points[2].mean_amount(Quantity::text_tokens), 1.6e6);
  EXPECT_EQ(mlm.points[2].over_seeds.mean, analysis.arms[1].metrics.at("held_out.excess").mean);
  EXPECT_NEAR(*mlm.points[1].over_seeds.mean, .75 + .035, 1e-12);
}

TEST(Courses, LeaveOutTrialsThatDidNotComplete) {
  store::Records records = with_dynamics({10, 30}, crossing_at_40);
  trial_of(records, "mlm", 2).outcome = "diverged";
  const Analysis analysis = analyse(records);
  for (const Course& course : courses_of(analysis))
    for (const CoursePoint& point : course.points)
      EXPECT_EQ(point.over_seeds.n, course.arm->name == "mlm" ? 5 : 6);
}

TEST(Overtaking, IsFoundWhereverTheArmsWereMeasured) {
  // The lines are straight, so the crossing does not depend on where they are measured.
  for (const std::vector<std::int64_t>& steps :
       {std::vector<std::int64_t>{10, 20, 40}, {10, 30}, {15, 77}, {25}}) {
    const store::Records records = with_dynamics(steps, crossing_at_40);
    const Analysis analysis = analyse(records);
    const auto pairs = pairs_of(analysis, Quantity::text_tokens);
    ASSERT_THAT(pairs, SizeIs(1)) << "the losses may not be compared";
    EXPECT_EQ(pairs[0].ahead(pairs[0].at_start), "clm");  // lower is better
    EXPECT_EQ(pairs[0].ahead(pairs[0].at_end), "mlm");
    EXPECT_EQ(pairs[0].from,
              kTokensAStep * static_cast<double>(std::max<std::int64_t>(steps[0], 10)));
    EXPECT_EQ(pairs[0].to, 1.6e6);
    ASSERT_TRUE(pairs[0].crossing);
    EXPECT_NEAR(*pairs[0].crossing, 40 * kTokensAStep, 1e-3);
  }
}

TEST(Overtaking, IsToldAlongEveryQuantity) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  const Analysis analysis = analyse(records);
  EXPECT_NEAR(*pairs_of(analysis, Quantity::targets).at(0).crossing, 4000, 1e-6);
  EXPECT_NEAR(*pairs_of(analysis, Quantity::flops).at(0).crossing, 4e7, 1e-2);
  EXPECT_NEAR(*pairs_of(analysis, Quantity::seconds).at(0).crossing, 40, 1e-8);
}

TEST(Overtaking, ComparesArmsAtTheSameAmountOfAQuantity) {
  // An arm that needs twice the FLOPs for a step is overtaken later along FLOPs than along tokens.
  store::Records records = with_dynamics({10, 30}, crossing_at_40);
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm != "mlm") continue;
    for (store::MeasuredPoint& point : trial.on_the_way) point.at.flops *= 2;
    trial.ledger["flops"] = 2e8;
  }
  const Analysis analysis = analyse(records);
  const auto pairs = pairs_of(analysis, Quantity::flops);
  EXPECT_EQ(pairs.at(0).from, 2e7);
  EXPECT_EQ(pairs.at(0).to, 1e8);
  EXPECT_NEAR(*pairs_of(analysis, Quantity::text_tokens).at(0).crossing, 40 * kTokensAStep, 1e-3);
  EXPECT_FALSE(pairs.at(0).crossing) << "1.2 - .0075 x is above 1 - .01 x";
}

/// The mean difference of two arms at a number of seconds, each trial's metric linear between its own points.
double mean_difference_at(const store::Records& records, double seconds) {
  const auto value = [&](const store::TrialRecord& trial) {
    std::vector<std::pair<double, double>> points;
    for (const store::MeasuredPoint& point : trial.on_the_way)
      points.emplace_back(point.at.seconds, point.metrics.at("held_out.excess"));
    points.emplace_back(trial.ledger.at("seconds").get<double>(),
                        trial.metrics.at("held_out.excess"));
    std::size_t right = 1;
    while (right + 1 < points.size() && points[right].first < seconds) ++right;
    const auto [x0, y0] = points[right - 1];
    const auto [x1, y1] = points[right];
    return y0 + (y1 - y0) * (seconds - x0) / (x1 - x0);
  };
  double sum = 0;
  for (const store::TrialRecord& trial : records.trials)
    sum += (trial.arm == "mlm" ? 1 : -1) * value(trial);
  return sum / 6;
}

TEST(Overtaking, TakesEachTrialAsLinearBetweenItsOwnPoints) {
  // Trials of 12 speeds whose metric falls quickly at first: no two have a point at the same second.
  store::Records records = with_dynamics({20, 30, 40, 60}, [](std::int64_t step) {
    return crossing_at_40(step) + (step == 30 ? .2 : 0);
  });
  double slowness = 1;
  for (store::TrialRecord& trial : records.trials) {
    for (store::MeasuredPoint& point : trial.on_the_way) point.at.seconds *= slowness;
    trial.ledger["seconds"] = trial.ledger.at("seconds").get<double>() * slowness;
    slowness += .06;
  }
  const Analysis analysis = analyse(records);
  const SweptPair pair = pairs_of(analysis, Quantity::seconds).at(0);
  ASSERT_TRUE(pair.crossing);
  double low = pair.from, high = pair.to;
  ASSERT_GT(mean_difference_at(records, low), 0);
  ASSERT_LT(mean_difference_at(records, high), 0);
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (mean_difference_at(records, middle) > 0 ? low : high) = middle;
  }
  EXPECT_NEAR(*pair.crossing, low, 1e-9 * low);
}

TEST(Overtaking, IsSaidInTheAnswerAndNeverWithoutItsInterval) {
  const store::Records records = with_dynamics({10, 20, 40}, [](std::int64_t step) {
    return crossing_at_40(step) + (step == 20 ? .01 : 0);
  });
  const Analysis analysis = analyse(records);
  EXPECT_THAT(
      answer_of(analysis),
      testing::ContainsRegex(" In held_out.excess, mlm overtakes clm in training after 640 k "
                             "tokens of text \\(95 % interval 6[34][0-9] k to 64[01] k\\)"));
  store::Records noisy = records;
  for (store::TrialRecord& trial : noisy.trials)
    if (trial.arm == "mlm") {
      const double noise = trial.seed % 2 == 0 ? .5 : -.5;
      trial.metrics["held_out.excess"] += noise;
      for (store::MeasuredPoint& point : trial.on_the_way)
        point.metrics["held_out.excess"] += noise;
    }
  const Analysis undecided = analyse(noisy);
  EXPECT_TRUE(pairs_of(undecided, Quantity::text_tokens).at(0).crossing);
  EXPECT_THAT(answer_of(undecided), Not(HasSubstr("overtakes")));
}

TEST(Overtaking, ThatNeverHappensIsSaidWithTheTextThatWasRead) {
  const store::Records records = with_dynamics({10, 20, 40}, always_above);
  const Analysis analysis = analyse(records);
  const Table table = shown<Table>(analysis, "overtaking");
  ASSERT_THAT(table.rows, SizeIs(1));
  EXPECT_EQ(table.rows[0].cells.at(4).text, "not up to 1.6 M");
  EXPECT_EQ(table.rows[0].cells.at(5).text, "");
  EXPECT_TRUE(table.rows[0].strong) << "the primary metric";
  EXPECT_THAT(answer_of(analysis), Not(HasSubstr("overtakes")));
}

TEST(Overtaking, LeavesOutSeedsThatAreNotComplete) {
  store::Records records = with_dynamics({10, 20, 40}, crossing_at_40);
  trial_of(records, "mlm", 3).on_the_way.pop_back();
  trial_of(records, "clm", 4).outcome = "failed";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(pairs_of(analysis, Quantity::text_tokens).at(0).at_end.n, 4);
}

TEST(Overtaking, IsNotLookedForWhereNothingWasMeasuredOnTheWay) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_TRUE(courses_of(analysis).empty());
  EXPECT_TRUE(shown<Table>(analysis, "overtaking").rows.empty());
  EXPECT_TRUE(shown<Figure>(analysis, "dynamics").plots.empty());
  for (const Section& section : document_of(analysis).sections) EXPECT_NE(section.name, "dynamics");
}

TEST(Dynamics, AreDrawnByTokensOfTextOneFigureAMetric) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  const Analysis analysis = analyse(records);
  const auto panels = drawings_of(shown<Figure>(analysis, "dynamics"));
  ASSERT_THAT(panels, SizeIs(3)) << "the losses of two objectives share no axis";
  EXPECT_THAT(panels[2], HasSubstr(">held_out.excess by tokens of text read</title>"));
  EXPECT_THAT(panels[2], HasSubstr(">clm</text>"));
  EXPECT_THAT(panels[2], HasSubstr(">mlm</text>"));
  EXPECT_THAT(plots_of(analysis, "dynamics"), SizeIs(1)) << "the headline metrics alone";
  bool shown = false;
  for (const Section& section : document_of(analysis).sections)
    shown = shown || section.name == "dynamics";
  EXPECT_TRUE(shown);
}

TEST(Dynamics, CanBeDrawnOverAllThatWasRecordedWithThePoints) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  const Analysis analysis = analyse(records);
  const Figure figure = shown<Figure>(analysis, "dynamics");
  ASSERT_THAT(figure.axes, SizeIs(5));
  const PlotLine& mlm = figure.plots.at(2).lines.at(1);
  EXPECT_EQ(mlm.name, "mlm");
  EXPECT_THAT(mlm.positions, testing::ElementsAre(testing::ElementsAre(160000, 480000, 1600000),
                                                  testing::ElementsAre(10, 30, 100),
                                                  testing::ElementsAre(1000, 3000, 10000),
                                                  testing::ElementsAre(1e7, 3e7, 1e8),
                                                  testing::ElementsAre(10, 30, 100)));
  EXPECT_LT(mlm.low[0], mlm.y[0]);
  EXPECT_LT(mlm.y[0], mlm.high[0]);
}

TEST(Dynamics, AreInTheFilesSeedBySeed) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  const Analysis analysis = analyse(records);
  const auto files = files_of(records);
  EXPECT_THAT(files.at("dynamics.csv"),
              HasSubstr("small,mlm,false,2,mlm-2,held_out.excess,nats/target,lower,30,480000,3000,"
                        "3e+07,30,"));
  EXPECT_THAT(files.at("overtaking.csv"),
              HasSubstr("small,held_out.excess,clm,mlm,seconds,10,100,6,"));
  const Json dynamics = json_of(records).at("dynamics");
  EXPECT_EQ(dynamics.at("courses").at(3).at("points").at(1).at("step"), 30);
  EXPECT_EQ(dynamics.at("courses").at(3).at("points").at(2).at("n"), 6);
  EXPECT_EQ(dynamics.at("overtaking").size(), 4u) << "one along each quantity";
}

TEST(Analysis, OfTheEndDoesNotSeeWhatWasMeasuredOnTheWay) {
  const store::Records records = with_dynamics({10, 30}, crossing_at_40);
  store::Records without = records;
  for (store::TrialRecord& trial : without.trials) trial.on_the_way.clear();
  Json ours = json_of(records), theirs = json_of(without);
  ours.erase("dynamics");
  theirs.erase("dynamics");
  ours.erase("findings");  // one sentence is on who overtakes whom in training
  theirs.erase("findings");
  EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace ablate::reports
