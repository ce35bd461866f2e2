// When probes measure on the way: points become steps, and measurements get ids of their own.

#include "harness/plan/price/measuring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/plan/resolve/resolve.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::plan_of;
using testing_support::refusal_of;
using testing_support::small_catalog;
using testing_support::small_experiment;

/// The price of phases of so many steps, each of which reads so many tokens.
Price price_of(const std::vector<std::pair<std::int64_t, double>>& phases) {
  Price price;
  for (const auto& [steps, tokens] : phases) {
    PhasePrice phase{.steps = steps, .text_tokens = static_cast<double>(steps) * tokens};
    phase.rates.text_tokens = tokens;
    price.steps += steps;
    price.text_tokens += phase.text_tokens;
    price.phases.push_back(std::move(phase));
  }
  return price;
}

TEST(MeasuringSteps, AreThoseAtWhichAFractionIsReached) {
  const OnTheWay tenths{"fractions", {.05, .1, .3, .55}};
  EXPECT_THAT(measuring_steps(tenths, price_of({{100, 64}})), ElementsAre(5, 10, 30, 55));
  EXPECT_THAT(measuring_steps(tenths, price_of({{10, 64}, {20, 64}})), ElementsAre(2, 3, 9, 17))
      << "no rounding error adds a step, and phases are one training";
}

TEST(MeasuringSteps, AreThoseAfterWhichSoMuchTextWasRead) {
  const Price price = price_of({{10, 64}, {10, 32}});
  EXPECT_THAT(measuring_steps({"tokens", {64, 65, 640, 641, 673, 800, 928}}, price),
              ElementsAre(1, 2, 10, 11, 12, 15, 19));
}

TEST(MeasuringSteps, AreNoneWithoutPoints) {
  EXPECT_TRUE(measuring_steps({}, price_of({{100, 64}})).empty());
}

TEST(MeasuringSteps, DoubleUpToHalfOfTheSteps) {
  EXPECT_THAT(measuring_steps({"doublings", {3}}, price_of({{32, 64}})), ElementsAre(4, 8, 16));
  EXPECT_THAT(measuring_steps({"doublings", {3}}, price_of({{10, 64}})), ElementsAre(2, 3, 5));
  for (std::int64_t steps = 2; steps < 200; ++steps)
    for (int points = 1; (std::int64_t{1} << points) <= steps; ++points) {
      const auto found =
          measuring_steps({"doublings", {static_cast<double>(points)}}, price_of({{steps, 64}}));
      EXPECT_EQ(std::set<std::int64_t>(found.begin(), found.end()).size(), std::size_t(points));
      EXPECT_TRUE(found.front() >= 1 && found.back() < steps) << steps << ", " << points;
    }
}

TEST(MeasuringSteps, AreRefusedWhereThereAreNoSuchSteps) {
  const Price price = price_of({{8, 64}});
  const auto refused = [&](const OnTheWay& points, const std::string& why) {
    EXPECT_THAT([&] { measuring_steps(points, price); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(why)));
  };
  refused({"fractions", {.1, .125, .5}},
          "at.fractions: 0.1 and 0.125 are both after step 1 of 8; give fewer points, or a larger "
          "budget");
  refused({"fractions", {.95}},
          "at.fractions = 0.95 is not before the end: training ends after 8 "
          "steps and 512 tokens of text, and the trained model is measured anyway; give a smaller "
          "number");
  for (const double tokens : {512., 3e6}) refused({"tokens", {tokens}}, "is not before the end");
  refused({"doublings", {4}},
          "at.doublings = 4 begins at 1/16 of the steps, but there are 8; the maximum is 3: give "
          "fewer, or a larger budget");
  EXPECT_THAT(
      [] {
        measuring_steps({"doublings", {1}}, Price());
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("the budget is in seconds")));
}

/// The small experiment of 32 steps whose probe measures at these points; null: at the end alone.
Json measured_at(const Json& at) {
  Json experiment = small_experiment();
  experiment["train"]["budget"] = {{"steps", 32}};
  experiment["probes"] = {{{"type", "loss"}, {"texts", 10}}};
  if (!at.is_null()) experiment["probes"][0]["at"] = at;
  return experiment;
}

TEST(OnTheWay, ChangesNeitherTheTrialsNorWhatIsMeasuredAtTheEnd) {
  const testing_support::PlanFolder folder;
  const Plan before = plan_of(folder, measured_at(nullptr));
  const Plan after = plan_of(folder, measured_at({{"doublings", 2}}));
  std::set<std::string> ids;
  ASSERT_EQ(after.trials.size(), before.trials.size());
  for (std::size_t i = 0; i < after.trials.size(); ++i) {
    EXPECT_EQ(after.trials[i].id, before.trials[i].id);
    Json probe = Json(after.trials[i].probes).at(0);
    EXPECT_EQ(probe.at("at").at(0).at("step"), 8);
    EXPECT_EQ(probe.at("at").at(1).at("step"), 16);
    for (const std::string& id : after.trials[i].probes.ids()) ids.insert(id);
    probe.erase("at");
    EXPECT_EQ(probe, Json(before.trials[i].probes).at(0));
    EXPECT_EQ(after.trials[i].probes.ids_on_the_way().size(), 2u);
  }
  EXPECT_EQ(ids.size(), 3 * after.trials.size()) << "each measurement has an id of its own";
  EXPECT_EQ(after.resolved.at("probes").at(0).at("at"), Json({{"doublings", 2}}));
  EXPECT_FALSE(before.resolved.at("probes").at(0).contains("at"));
}

TEST(OnTheWay, NamesAMeasurementByItsStepWhateverWayThePointIsGiven) {
  const testing_support::PlanFolder folder;
  const Json by_doublings = plan_of(folder, measured_at({{"doublings", 1}})).trials[0].probes,
             by_fraction = plan_of(folder, measured_at({{"fractions", {.5}}})).trials[0].probes;
  EXPECT_EQ(by_doublings, by_fraction);
}

TEST(OnTheWay, IsResolvedAndItsVersionsAreChecked) {
  const testing_support::PlanFolder folder;
  Trial trial = plan_of(folder, measured_at({{"doublings", 2}})).trials[0];
  const ResolvedTrial resolved = resolve(trial, small_catalog());
  ASSERT_EQ(resolved.probes.at(0).on_the_way.size(), 2u);
  EXPECT_EQ(resolved.probes[0].on_the_way[1].step, 16);
  EXPECT_EQ(resolved.probes[0].on_the_way[1].id, trial.probes.ids_on_the_way()[1]);
  EXPECT_NO_THROW(check_versions(trial, small_catalog()));
  Json probes = trial.probes;
  probes[0]["at"][1]["id"] = "0123456789abcdef";
  trial.probes = probes;
  EXPECT_THAT([&] { check_versions(trial, small_catalog()); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("the version of probe loss")));
}

TEST(OnTheWay, IsRefusedWithItsPlaceAndWhatIsAccepted) {
  const testing_support::PlanFolder folder;
  const auto refused = [&](const Json& at, const std::string& why) {
    EXPECT_THAT(refusal_of(folder, measured_at(at)), HasSubstr(why)) << at;
  };
  refused({{"doublings", 2}, {"tokens", {64}}},
          "probe 'loss': at = {\"doublings\":2,\"tokens\":[64.0]} has 2 settings; give exactly one "
          "of fractions, tokens and doublings");
  refused(Json::object(), "has 0 settings");
  refused({{"fractions", {.5, .25}}}, "probe 'loss': at.fractions = [0.5,0.25] do not ascend");
  refused({{"fractions", Json::array()}}, "at.fractions names no point");
  refused({{"fractions", {1.5}}}, "fractions = 1.5 is outside [1e-06, 0.999999]");
  refused({{"fraction", {.5}}}, "no parameter is named 'fraction'");
  refused("doubling", "at = \"doubling\" is not an object");
  refused({{"doublings", 6}},
          "probe 'loss', arm 'plain': at.doublings = 6 begins at 1/64 of the steps, but there are "
          "32; the maximum is 5");
  EXPECT_THAT(refusal_of(folder, measured_at({{"doublings", 6}})), HasSubstr("experiment.json:"));
}

TEST(OnTheWay, IsSetByAFlagInPlaceOfTheFilesPoints) {
  const testing_support::PlanFolder folder;
  const Json file = measured_at({{"doublings", 2}});
  const auto steps = [&](const std::string& set) {
    const Plan plan = plan_of(folder, file, {.set = {set}});
    std::vector<std::int64_t> found;
    const Json points = plan.trials[0].probes.settings()[0].value("at", Json::array());
    for (const Json& point : points) found.push_back(point.at("step"));
    return found;
  };
  EXPECT_THAT(steps("probes.loss.at.fractions=[0.25]"), ElementsAre(8));
  EXPECT_THAT(steps("probes.loss.at.doublings=1"), ElementsAre(16));
}

TEST(Measuring, IsSharedOutByWhatEachProbeReads) {
  const testing_support::PlanFolder folder;
  std::vector<ProbeSpec> probes = {testing_support::loss_probe(), testing_support::loss_probe()};
  probes[1].name = "long";
  probes[1].metrics = [](const Params&, const ProbedArm&) {
    return std::vector<Metric>{
        {"long.loss", "long loss", "nats", Better::lower, Comparable::all_arms, "of long texts"}};
  };
  probes[0].tokens = [](const Params&, const ProbedArm&) { return 1e6; };
  probes[1].tokens = [](const Params&, const ProbedArm&) { return 3e6; };
  Catalog catalog = small_catalog();
  catalog.probes = probes;
  Json experiment = measured_at({{"fractions", {.25, .5}}});
  experiment["probes"].push_back("long");
  const Plan plan = make_plan(catalog, folder.write("measuring.json", experiment.dump()), {});
  ASSERT_TRUE(plan.measuring);
  EXPECT_EQ(plan.measuring->by_probe, (std::map<std::string, double>{{"loss", .5}, {"long", .5}}))
      << "one reads a third as much, and measures three times";
  EXPECT_GT(plan.measuring->fraction, 0);
  EXPECT_LT(plan.measuring->fraction, 1);
  EXPECT_EQ(plan_from_json(to_json(plan)).measuring, plan.measuring);
}

TEST(OnTheWay, IsRefusedOfAProbeThatComparesTheEndsOfPhases) {
  const testing_support::PlanFolder folder;
  std::vector<ProbeSpec> probes = {testing_support::loss_probe()};
  probes[0].phase_metrics = [](const std::vector<PhaseAbout>&, bool) {
    return std::vector<Metric>();
  };
  Catalog catalog = small_catalog();
  catalog.probes = probes;
  const auto file = folder.write("phases.json", measured_at({{"doublings", 1}}).dump());
  EXPECT_THAT([&] { make_plan(catalog, file, {}); },
              ThrowsMessage<ExperimentRefused>(HasSubstr(
                  "probe 'loss' compares the ends of phases, so it cannot measure on the way")));
}

}  // namespace
}  // namespace ablate::plan
