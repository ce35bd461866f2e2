// Configurations that share their sections.

#include "harness/plan/trial/trial_config.h"

#include <gtest/gtest.h>

namespace ablate::plan {
namespace {

const Json kSections = {{"model", {{"width", 8}}}, {"seed", 1}, {"train", {{"batch", 4}}}};

TEST(TrialConfig, IsTheObjectThatItWasMadeOf) {
  EXPECT_EQ(Json(TrialConfig(kSections)), kSections);
  EXPECT_EQ(Json(kSections.get<TrialConfig>()), kSections);
  EXPECT_EQ(Json(TrialConfig()), Json::object());
  EXPECT_EQ(TrialConfig(kSections).at("model"), kSections.at("model"));
}

TEST(TrialConfig, SharesTheSectionsOfItsCopies) {
  const TrialConfig one(kSections);
  TrialConfig other = one;
  other["seed"] = 2;
  EXPECT_EQ(&other.at("model"), &one.at("model"));
  EXPECT_EQ(&other.at("train"), &one.at("train"));
}

TEST(TrialConfig, ChangesWithoutItsCopies) {
  const TrialConfig one(kSections);
  TrialConfig other = one;
  other["train"]["batch"] = 16;
  other["objective"] = "new";
  EXPECT_EQ(Json(one), kSections);
  EXPECT_EQ(other.at("train").at("batch"), 16);
  EXPECT_EQ(other.at("objective"), "new");
}

TEST(TrialConfig, ThatIsNoneIsRefused) {
  EXPECT_THROW(TrialConfig(Json::array({1})), Json::exception);
  EXPECT_THROW(Json(7).get<TrialConfig>(), Json::exception);
  EXPECT_THROW(TrialConfig(kSections).at("corpus"), Json::exception);
}

}  // namespace
}  // namespace ablate::plan
