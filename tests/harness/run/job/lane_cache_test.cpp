// Storing choices of lanes in the cache.

#include "harness/run/job/lane_cache.h"

#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::run {
namespace {

const LaneChoice kChoice = {2, {{1, 3, 0}, {2, 4, 5}}, ""};

TEST(LaneCache, KeepsChoicesSideBySide) {
  const plan::testing_support::PlanFolder folder;
  const auto file = folder.path() / "lanes.json";
  EXPECT_FALSE(find_lanes(file, "a"));
  keep_lanes(file, "a", kChoice);
  keep_lanes(file, "b", {1, {{1, 3, 0}}, ""});
  ASSERT_TRUE(find_lanes(file, "a") && find_lanes(file, "b"));
  EXPECT_EQ(to_json(*find_lanes(file, "a")), to_json(kChoice));
  EXPECT_EQ(find_lanes(file, "b")->lanes, 1u);
  EXPECT_FALSE(find_lanes(file, "c"));
}

TEST(LaneCache, TakesADamagedEntryForNoneAndReplacesIt) {
  const plan::testing_support::PlanFolder folder;
  const auto file = folder.path() / "lanes.json";
  for (const char* damaged :
       {"", "[]", R"({"a": 3})", R"({"a": {"lanes": 2}})",
        R"({"a": {"lanes": "2", "points": [], "stopped": ""}})",
        R"({"a": {"lanes": 2, "points": [{"lanes": 2, "seconds": 1}], "stopped": ""}})"}) {
    folder.write("lanes.json", damaged);
    EXPECT_FALSE(find_lanes(file, "a")) << damaged;
    keep_lanes(file, "a", kChoice);
    EXPECT_TRUE(find_lanes(file, "a")) << damaged;
  }
}

}  // namespace
}  // namespace ablate::run
