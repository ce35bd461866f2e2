// Bounds of metrics, as plans keep them; whatever is damaged is as if it were absent.

#include "harness/store/plan/stored_bound.h"

#include <gtest/gtest.h>

#include "harness/store/plan/stored_metric.h"

namespace ablate::store {
namespace {

TEST(StoredBounds, AreReadAsTheyAreWritten) {
  const std::vector<Bound> bounds = {Bound::ceiling("a.optimum"),
                                     Bound::no_context("a.free").minus("a.optimum"),
                                     Bound::untrained("a.untrained").per_byte("a.loss"),
                                     Bound::majority("a.m").exponential(), Bound::chance(0.5)};
  EXPECT_EQ(stored_bounds(bounds_json(bounds)), bounds);
}

TEST(StoredBounds, ThatAreDamagedOrOfALaterVersionAreLeftOut) {
  const Json whole = bounds_json({Bound::untrained("a.b").per_byte("a.loss")})[0];
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, Json>>{{"is", "a later kind"},
                                                 {"is", 3},
                                                 {"conversion", "cubic"},
                                                 {"conversion", nullptr},
                                                 {"per", 1},
                                                 {"terms", "a.b"},
                                                 {"terms", Json::array()},
                                                 {"terms", {1}},
                                                 {"terms", {{{"metric", "a.b"}}}}}) {
    Json damaged = whole;
    damaged[key] = value;
    EXPECT_EQ(stored_bounds({damaged, whole}).size(), 1u) << key << ": " << value;
  }
  EXPECT_TRUE(stored_bounds(Json("text")).empty());
  EXPECT_TRUE(stored_bounds({nullptr, 1, {{"is", "chance"}}}).empty());
}

TEST(StoredMetrics, SayWhetherTheirPlanStatesBounds) {
  EXPECT_FALSE(stored_metric({{"name", "a.b"}}).bounds);
  EXPECT_TRUE(stored_metric({{"name", "a.b"}, {"bounds", Json::array()}}).bounds);
}

TEST(StoredMetrics, HaveNoIndexAndAreNoTaskWhereThatIsDamaged) {
  const Json index = {{"value", 5}, {"name", "a.at_N"}, {"label", "at N"}, {"meaning", "m"}};
  const StoredMetric good = stored_metric({{"name", "a.at_5"}, {"index", index}, {"task", true}});
  EXPECT_EQ(good.index->label, "at N");
  EXPECT_TRUE(good.task);
  for (const char* key : {"value", "name"}) {
    Json damaged = index;
    damaged[key] = Json::array();
    EXPECT_FALSE(stored_metric({{"name", "a.at_5"}, {"index", damaged}}).index) << key;
  }
  EXPECT_FALSE(stored_metric({{"name", "a.b"}, {"index", 5}, {"task", 1}}).task);
}

}  // namespace
}  // namespace ablate::store
