#include "reports/analysis/temperatures/entropy_areas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The areas of records, and what they point into.
struct Areas {
  explicit Areas(store::Records given)
      : records(std::move(given)),
        analysis(analyse(records)),
        all(entropy_areas(entropy_curves(analysis))) {}

  store::Records records;
  Analysis analysis;
  std::vector<EntropyArea> all;
};

// Masked LM's curves lie 1 and .5 below that of causal LM, and all have the entropies 3.7 to 4.2.
TEST(EntropyAreas, OfParallelCurvesAreTheirDistanceTimesTheRange) {
  const Areas areas(with_temperatures());
  ASSERT_THAT(areas.all, SizeIs(2));
  const EntropyArea& gibbs = areas.all[0];
  EXPECT_EQ(gibbs.arm->name, "mlm");
  EXPECT_EQ(gibbs.sampler, "gibbs");
  EXPECT_EQ(gibbs.baseline_sampler, "ancestral");
  EXPECT_EQ(gibbs.area.n, 6);
  EXPECT_NEAR(gibbs.to - gibbs.from, .5, 1e-12);
  EXPECT_NEAR(*gibbs.mean_difference.mean, -1, 1e-12);
  EXPECT_NEAR(*gibbs.area.mean, -.5, 1e-12);
  EXPECT_NEAR(*areas.all[1].area.mean, -.25, 1e-12);
}

// From 1 to 2 nats the curve is at 0, 1, 0 and the other at .5: .5 - .5 = 0 in all; from 1.25 on, where
// the other begins, it is above by 2 triangles of .125 less a triangle of .03125 at the end.
TEST(EntropyAreas, AreThoseOfStraightLinesOverTheCommonRange) {
  store::Records records = with_temperatures();
  for (store::TrialRecord& trial : records.trials) {
    const bool baseline = trial.arm == "clm";
    trial.temperatures.resize(1);
    trial.temperatures[0].sampler = "";
    trial.temperatures[0].points =
        baseline ? std::vector<store::TemperaturePoint>{{.5, 1.25, .5}, {1, 3, .5}}
                 : std::vector<store::TemperaturePoint>{{.5, 1, 0}, {.8, 1.5, 1}, {1, 2, 0}};
  }
  const Areas areas(records);
  ASSERT_THAT(areas.all, SizeIs(1));
  EXPECT_EQ(areas.all[0].from, 1.25);
  EXPECT_EQ(areas.all[0].to, 2);
  EXPECT_NEAR(*areas.all[0].area.mean, .0625, 1e-12);
  EXPECT_NEAR(*areas.all[0].mean_difference.mean, .0625 / .75, 1e-12);
}

TEST(EntropyAreas, LeaveOutSeedsWithoutBothCurvesOrWhoseEntropyFalls) {
  store::Records records = with_temperatures();
  trial_of(records, "clm", 1).outcome = "failed";
  trial_of(records, "clm", 2).temperatures.clear();
  std::swap(trial_of(records, "clm", 3).temperatures[0].points[0].entropy,
            trial_of(records, "clm", 3).temperatures[0].points[1].entropy);
  for (store::TemperaturePoint& point : trial_of(records, "clm", 4).temperatures[0].points)
    point.entropy += 10;
  EXPECT_EQ(Areas(records).all.at(0).area.n, 2);
}

TEST(EntropyAreas, AreNotThereWithoutCommonSeedsOrTemperatures) {
  EXPECT_THAT(Areas(with_temperatures(with_own_seeds(101))).all, IsEmpty());
  EXPECT_THAT(Areas(small_records()).all, IsEmpty());
}

TEST(EntropyAreas, AreInTheTablesAndFiles) {
  const auto files = files_of(with_temperatures());
  for (const char* file : {"report.html", "report.md"})
    EXPECT_THAT(files.at(file), HasSubstr("The area between the curves by entropy")) << file;
  EXPECT_THAT(
      files.at("entropy_areas.csv"),
      HasSubstr("small,mlm,gibbs,clm,ancestral,generation.log_probability,nats/token,3.735"));
  const Json json = Json::parse(files.at("report.json"));
  ASSERT_EQ(json.at("entropy_areas").size(), 2u);
  EXPECT_NEAR(json.at("entropy_areas")[0].at("area").at("mean"), -.5, 1e-12);
  EXPECT_THAT(files_of(small_records()).at("report.md"), Not(HasSubstr("area between")));
}

}  // namespace
}  // namespace ablate::reports
