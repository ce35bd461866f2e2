// MLflow's file store: its layout, and names that stay inside it.

#include "reports/export/mlflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/edited_curve.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

std::map<std::string, std::string> store_of(const store::Records& records) {
  const std::vector<Analysis> experiments = {analyse(records)};
  std::map<std::string, std::string> files;
  for (ReportFile& file : mlflow_files(experiments, "/tmp/out dir")) {
    EXPECT_FALSE(files.contains(file.name)) << file.name << " twice";
    files[file.name] = std::move(file.bytes);
  }
  return files;
}

/// The files whose path ends like this.
std::vector<std::string> ending(const std::map<std::string, std::string>& files,
                                const std::string& end) {
  std::vector<std::string> found;
  for (const auto& [name, bytes] : files)
    if (name.ends_with(end)) found.push_back(bytes);
  return found;
}

TEST(Mlflow, HasNoLossWhereNothingWasScored) {
  store::Records records = small_records();
  records.trials.resize(1);
  testing_support::edit_curve(records.trials[0].curve, [](std::vector<store::CurvePoint>& points) {
    for (store::CurvePoint& point : points) point.loss = std::nan("");
  });
  const auto files = store_of(records);
  EXPECT_TRUE(ending(files, "/metrics/curve.loss").empty());
  EXPECT_EQ(ending(files, "/metrics/curve.learning_rate").size(), 1u);
}

TEST(Mlflow, HasARunForEveryTrialWithItsNumbers) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial.started = "2026-11-23T12:00:00.250Z";
    trial.ended = "2026-11-23T12:01:00.000Z";
  }
  trial_of(records, "mlm", 6).outcome = "diverged";
  const auto files = store_of(records);
  EXPECT_EQ(ending(files, "/meta.yaml").size(), 13u);
  EXPECT_THAT(ending(files, "/metrics/topic.bayes"),
              testing::Each(std::string("1795435260000 1 100\n")));
  EXPECT_THAT(ending(files, "/metrics/curve.loss")[0], HasSubstr("1795435200250 "));
  EXPECT_THAT(ending(files, "/params/objective.rate"), testing::Contains("0.15"));
  EXPECT_THAT(ending(files, "/params/seed"), testing::Contains("6"));
  EXPECT_THAT(ending(files, "/tags/outcome"), testing::Contains("diverged"));
  std::int64_t failed = 0;
  for (const std::string& meta : ending(files, "/meta.yaml"))
    failed += meta.find("status: 4\n") != meta.npos;
  EXPECT_EQ(failed, 1);
}

TEST(Mlflow, HasALineForEveryStepAtWhichAMetricWasMeasured) {
  const auto files = store_of(
      with_dynamics({10, 30}, [](std::int64_t step) { return static_cast<double>(step); }));
  EXPECT_THAT(ending(files, "/metrics/held_out.excess"),
              testing::Contains("0 10.01 10\n0 30.01 30\n0 100.01 100\n"));
}

TEST(Mlflow, NamesTheFolderAsAUri) {
  EXPECT_THAT(ending(store_of(small_records()), "/meta.yaml")[0],
              HasSubstr("\"file:///tmp/out%20dir/mlruns/"));
}

TEST(Mlflow, LeavesOutTrialsThatNeverBegan) {
  store::Records records = small_records();
  trial_of(records, "mlm", 1).attempts = 0;
  EXPECT_EQ(ending(store_of(records), "/meta.yaml").size(), 12u);
}

TEST(Mlflow, TheSameTrialHasTheSamePlace) {
  EXPECT_EQ(store_of(small_records()), store_of(small_records()));
  store::Records other = small_records();
  other.plan["experiment"] = "other";
  std::set<std::string> ours, theirs;
  for (const auto& [name, bytes] : store_of(small_records())) ours.insert(name);
  for (const auto& [name, bytes] : store_of(other)) EXPECT_FALSE(ours.contains(name)) << name;
}

TEST(Mlflow, HostileNamesStayInTheStoreAndOnTheirLine) {
  store::Records records = hostile_records();
  records.plan["arms"][0]["config"]["objective"]["../" + kHostile] = kHostile;
  for (const auto& [name, bytes] : store_of(records)) {
    EXPECT_EQ(name.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"),
              name.npos)
        << name;
    EXPECT_EQ(name.find("/../"), name.npos) << name;
    EXPECT_EQ(bytes.find('\x1b'), bytes.npos) << name;
    if (name.find("/params/") != name.npos) {
      EXPECT_EQ(bytes.find('\n'), bytes.npos) << name;
    }
    if (!name.ends_with("/meta.yaml")) continue;
    for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\n', at) + 1)
      EXPECT_THAT(bytes.substr(at, bytes.find('\n', at) - at),
                  testing::MatchesRegex("[a-z_]+: ([0-9]+|null|active|\\[\\]|'[0-9]*'|\".*\")"));
  }
}

}  // namespace
}  // namespace ablate::reports
