// Trials as a plan stores them: each setup once.

#include "harness/plan/trial/trial_setup.h"

#include <gtest/gtest.h>

#include "harness/plan/trial/plan_json.h"
#include "harness/store/plan/stored_plan.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

/// Trials of two arms and three seeds; those of an arm share what they have in common.
std::vector<Trial> six_trials() {
  std::vector<Trial> trials;
  for (const double rate : {0.1, 0.2}) {
    Trial trial;
    trial.arm = rate < 0.15 ? "low" : "high";
    trial.config = Json{{"objective", {{"rate", rate}}}, {"train", {{"batch", 4}}}};
    trial.parameters = {.total = 100, .embeddings = 10, .at_inference = 90};
    trial.steps = 7;
    const TrialProbes probes(
        Json::parse(R"([{"id": "", "type": "loss", "at": [{"step": 3, "id": ""}]}])"));
    for (trial.seed = 1; trial.seed <= 3; ++trial.seed) {
      trial.id = trial.arm + std::to_string(trial.seed);
      trial.config["seed"] = trial.seed;
      trial.probes = probes.with_ids({trial.id + "a", trial.id + "b"});
      trials.push_back(trial);
    }
  }
  return trials;
}

Json stored(const std::vector<Trial>& trials) {
  Setups setups;
  Json plan = {{"trials", Json::array()}};
  for (const Trial& trial : trials) plan["trials"].push_back(setups.add(trial));
  plan["setups"] = setups.by_name();
  return plan;
}

TEST(Setups, AreStoredOnceAndGiveTheSameTrials) {
  const std::vector<Trial> trials = six_trials();
  const Json plan = stored(trials);
  EXPECT_EQ(plan["setups"].size(), 2u);
  const std::vector<Trial> read = trials_in(plan);
  EXPECT_EQ(Json(read), Json(trials));
  EXPECT_TRUE(read[0].config.shares_with(read[2].config));
  EXPECT_FALSE(read[0].config.shares_with(read[3].config));
  EXPECT_TRUE(read[0].probes.share_with(read[2].probes));
}

TEST(Setups, AreFoundToBeTheSameWhereTheMemoryIsNotShared) {
  const std::vector<Trial> trials = six_trials();
  const std::vector<Trial> apart = Json(trials).get<std::vector<Trial>>();
  EXPECT_EQ(stored(apart), stored(trials));
}

TEST(Setups, DifferInAnythingButTheSeed) {
  std::vector<Trial> trials = six_trials();
  trials[1].steps = 8;
  EXPECT_EQ(stored(trials)["setups"].size(), 3u);
  EXPECT_EQ(Json(trials_in(stored(trials))), Json(trials));
  trials[2].config["train"]["batch"] = 16;
  EXPECT_EQ(stored(trials)["setups"].size(), 4u);
  EXPECT_EQ(Json(trials_in(stored(trials))), Json(trials));
}

TEST(Setups, AreNotNeededByTrialsOfOlderVersions) {
  const std::vector<Trial> trials = six_trials();
  const Json old = {{"trials", trials}};
  EXPECT_EQ(Json(trials_in(old)), Json(trials));
}

TEST(Setups, ThatAreTornAreRefused) {
  const Json whole = stored(six_trials());
  const auto refuses = [&](const char* place, const Json& value) {
    Json torn = whole;
    torn[Json::json_pointer(place)] = value;
    EXPECT_ANY_THROW(trials_in(torn)) << place;
    torn["arms"] = Json::array();
    EXPECT_ANY_THROW(store::stored_plan(torn)) << place;
  };
  refuses("/setups", Json::object());
  refuses("/setups", 7);
  refuses("/trials/0/setup", "none");
  refuses("/trials/0/setup", 7);
  refuses("/trials/0/measurements", {"one"});
  refuses("/trials/0/measurements", {"one", "two", "three"});
  refuses("/trials/0/measurements", Json::array());
  refuses("/trials/0/measurements", {1, 2});
  refuses("/trials/0/seed", 1.5);
}

TEST(Setups, AreReadBySinglePlansAsByTheirReports) {
  const testing_support::PlanFolder folder;
  const Plan plan = testing_support::plan_of(folder, testing_support::small_experiment());
  const Json document = to_json(plan);
  const store::StoredPlan stored = store::stored_plan(document);
  ASSERT_EQ(stored.trials.size(), plan.trials.size());
  for (std::size_t i = 0; i < plan.trials.size(); ++i) {
    EXPECT_EQ(stored.trials[i].id, plan.trials[i].id);
    EXPECT_EQ(stored.trials[i].complete_config(), Json(plan.trials[i].config));
    EXPECT_EQ(stored.trials[i].measurements, plan.trials[i].probes.ids());
    EXPECT_EQ(stored.trials[i].steps, plan.trials[i].steps);
  }
}

}  // namespace
}  // namespace ablate::plan
