// Probes that share their settings.

#include "harness/plan/trial/trial_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::plan {
namespace {

using testing::ElementsAre;

const Json kProbes = Json::parse(R"([
    {"id": "a", "type": "loss", "texts": 10, "at": [{"step": 2, "id": "a2"}, {"step": 4, "id": "a4"}]},
    {"id": "b", "type": "cloze"},
    {"id": "c", "type": "loss", "at": [{"step": 4, "id": "c4"}]}])");

TEST(TrialProbes, AreTheListThatTheyWereMadeOf) {
  EXPECT_EQ(Json(TrialProbes(kProbes)), kProbes);
  EXPECT_EQ(Json(kProbes.get<TrialProbes>()), kProbes);
  EXPECT_EQ(Json(TrialProbes()), Json::array());
}

TEST(TrialProbes, HaveTheIdsOfTheEndFirst) {
  const TrialProbes probes(kProbes);
  EXPECT_EQ(probes.size(), 3u);
  EXPECT_THAT(probes.ids(), ElementsAre("a", "b", "c", "a2", "a4", "c4"));
  EXPECT_THAT(probes.ids_on_the_way(), ElementsAre("a2", "a4", "c4"));
  EXPECT_EQ(probes.settings().dump().find("\"id\""), std::string::npos);
}

TEST(TrialProbes, ShareTheirSettingsWithOtherIds) {
  const TrialProbes one(kProbes), other = one.with_ids({"1", "2", "3", "4", "5", "6"});
  EXPECT_EQ(&other.settings(), &one.settings());
  EXPECT_TRUE(other.share_with(one));
  EXPECT_EQ(Json(other)[2]["at"][0]["id"], "6");
  EXPECT_FALSE(other == one);
  EXPECT_EQ(Json(one), kProbes) << "which has not changed";
  EXPECT_THROW(one.with_ids({"1"}), Json::exception);
}

TEST(TrialProbes, ThatAreNoListOfObjectsAreRefused) {
  for (const Json& bad : {Json(7), Json::object(), Json::array({7}), Json::parse(R"([{"id": 7}])"),
                          Json::parse(R"([{"at": [7]}])")})
    EXPECT_THROW(TrialProbes{bad}, Json::exception) << bad;
}

}  // namespace
}  // namespace ablate::plan
