// Expanding sweeps, the names of their points, and candidates.

#include "harness/plan/file/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/rng.h"
#include "harness/plan/file/candidates.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::ElementsAre;

/// The arms that an entry of "arms" expands to, given its text.
std::vector<SweepPoint> cells_of(const std::string& entry) {
  const testing_support::PlanFolder folder;
  Faults faults;
  const Sources sources(folder.write("e.json", "{\"arms\": [" + entry + "]}"), faults);
  const std::vector<SweepPoint> points = expand(sources, "/arms/0", faults);
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(count_points(sources.merged()["arms"][0]), static_cast<double>(points.size()));
  return points;
}

std::vector<std::string> names_of(const std::string& entry) {
  std::vector<std::string> names;
  for (const SweepPoint& point : cells_of(entry)) names.push_back(point.name);
  return names;
}

TEST(Sweep, NamesAnEntryWithoutSweepByItself) {
  EXPECT_THAT(names_of(R"({"name": "clm", "set": {"objective.rate": 0.3}})"), ElementsAre("clm"));
}

TEST(Sweep, TakesTheGridInTheOrderOfTheFileTheLastPathFastest) {
  EXPECT_THAT(
      names_of(
          R"({"name": "m", "grid": {"objective.rate": [0.150, 0.3], "objective.keep": [0, 1.0]}})"),
      ElementsAre("m[rate=0.15,keep=0]", "m[rate=0.15,keep=1]", "m[rate=0.3,keep=0]",
                  "m[rate=0.3,keep=1]"));
}

TEST(Sweep, TakesZippedListsTogether) {
  EXPECT_THAT(
      names_of(
          R"({"name": "m", "zip": {"objective.rate": [0.15, 0.3], "objective.span": [3, 5]}})"),
      ElementsAre("m[rate=0.15,span=3]", "m[rate=0.3,span=5]"));
}

TEST(Sweep, TakesEachListedPoint) {
  EXPECT_THAT(
      names_of(
          R"({"name": "m", "list": [{"objective.heads": 2}, {"objective.heads": 4, "train.batch": 8}]})"),
      ElementsAre("m[heads=2]", "m[heads=4,batch=8]"));
}

TEST(Sweep, MultipliesGridZipAndList) {
  const auto points = cells_of(R"({"name": "m", "set": {"model.width": 8},
    "grid": {"a.x": [1, 2, 3]}, "zip": {"a.y": [1, 2], "a.z": [3, 4]}, "list": [{"a.u": 1}, {"a.u": 2}]})");
  ASSERT_EQ(points.size(), 12u);
  std::set<std::string> names;
  for (const SweepPoint& point : points) {
    names.insert(point.name);
    EXPECT_EQ(point.assignments.size(), 5u);
  }
  EXPECT_EQ(names.size(), 12u);
}

TEST(Sweep, LengthensLabelsIfTwoPathsHaveTheSameLastComponent) {
  EXPECT_THAT(
      names_of(
          R"({"name": "m", "grid": {"model.width": [1], "objective.width": [2], "train.batch": [3]}})"),
      ElementsAre("m[model.width=1,objective.width=2,batch=3]"));
}

TEST(Sweep, ShowsEveryKindOfValue) {
  EXPECT_THAT(
      names_of(R"({"name": "m", "grid": {"a.b": ["rotary", "two words", true, 1e-5, 3, [1, 2]]}})"),
      ElementsAre("m[b=rotary]", "m[b=\"two words\"]", "m[b=true]", "m[b=1e-05]", "m[b=3]",
                  "m[b=[1,2]]"));
}

TEST(Sweep, KnowsWhichNamesAreTheSame) {
  EXPECT_EQ(canonical_name("mlm[rate=0.150]"), "mlm[rate=0.15]");
  EXPECT_EQ(canonical_name("mlm[rate=1.5e-1,keep=1.0,positions=rotary]"),
            "mlm[rate=0.15,keep=1,positions=rotary]");
  for (const char* kept : {"mlm", "mlm[rate=0.15]", "mlm[", "mlm]", "[=,=]", "", "m[a]"})
    EXPECT_EQ(canonical_name(kept), kept);
}

TEST(Candidates, AreMadeByIndex) {
  EXPECT_EQ(Json(candidates({{"linspace", {0.1, 0.5, 5}}})).dump(), "[0.1,0.2,0.3,0.4,0.5]");
  EXPECT_EQ(Json(candidates({{"range", {0.1, 0.5, 0.1}}})).dump(), "[0.1,0.2,0.3,0.4,0.5]");
  EXPECT_EQ(Json(candidates({{"range", {3, -1, -2}}})).dump(), "[3,1,-1]");
  EXPECT_EQ(Json(candidates({{"logspace", {0.0001, 1, 5}}})).dump(), "[0.0001,0.001,0.01,0.1,1]");
  EXPECT_EQ(Json(candidates({{"range", {1, 1, 1}}})).dump(), "[1]");
}

TEST(Candidates, EndWhereTheyWereAskedToEnd) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const double a = rng.uniform() + 0.01, b = rng.uniform() + 0.01;
    const double n = static_cast<double>(2 + rng.below(50));
    for (const char* maker : {"linspace", "logspace"}) {
      const std::vector<Json> made = candidates({{maker, {a, b, n}}});
      ASSERT_EQ(static_cast<double>(made.size()), n);
      EXPECT_NEAR(made.front().get<double>(), a, 1e-11);
      EXPECT_NEAR(made.back().get<double>(), b, 1e-11);
    }
  }
}

TEST(Candidates, RefuseWhatIsNone) {
  for (const char* bad :
       {"[]", "3", "\"x\"", "{}", R"({"linspace": [1, 2]})", R"({"linspace": [1, 2, 1.5]})",
        R"({"linspace": [1, 2, 1]})", R"({"logspace": [0, 1, 5]})", R"({"range": [0, 1, 0]})",
        R"({"range": [0, 1, -1]})", R"({"range": [0, 1, 1], "linspace": [0, 1, 2]})",
        R"({"linspace": [0, 1, 1e9]})", R"({"range": [0, 1, 1e-300]})", R"({"other": [0, 1, 2]})"})
    EXPECT_NE(refusal_of_candidates(Json::parse(bad)), "") << bad;
}

}  // namespace
}  // namespace ablate::plan
