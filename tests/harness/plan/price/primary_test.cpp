// Remedies for a primary metric that is absent or unknown name one that the arms have in common.

#include "harness/plan/price/primary.h"

#include <gmock/gmock.h>

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Measures something comparable of all arms, but only with a setting.
ProbeSpec labels_probe() {
  return {.name = "labels",
          .summary = "labels of a file",
          .params = {optional(text("file", nullptr, "labelled text"))},
          .metrics =
              [](const Params&, const ProbedArm&) {
                return std::vector<Metric>{
                    {"labels.floor", "labels floor", "fraction", Better::neither,
                     Comparable::all_arms, "of guessing"},
                    {"labels.accuracy", "labels accuracy", "fraction", Better::higher,
                     Comparable::all_arms, "of a linear model"}};
              },
          .refusal =
              [](const Params& params, const ProbedArm&) {
                return params.has("file") ? std::string() : std::string("give 'file'");
              }};
}

/// Losses that compare arms of one objective only.
ProbeSpec own_probe() {
  return {.name = "own",
          .summary = "the loss",
          .metrics =
              [](const Params&, const ProbedArm& arm) {
                std::vector<Metric> metrics = {{"own.loss", "own loss", "nats", Better::lower,
                                                Comparable::same_objective, "at its own setting"}};
                if (arm.objective.name == "hide")
                  metrics.push_back({"own.common", "own common", "nats", Better::lower,
                                     Comparable::same_family, "at one setting"});
                return metrics;
              },
          .refusal = [](const Params&, const ProbedArm&) { return std::string(); },
          .reads_held_out = true};
}

class Primary : public testing::Test {
 protected:
  Primary() { experiment["analysis"].erase("primary"); }

  std::string refusal(std::span<const ProbeSpec> specs) {
    Catalog catalog = testing_support::small_catalog();
    catalog.probes = specs;
    try {
      make_plan(catalog, folder.write("experiment.json", experiment.dump(2)), {});
      return "";
    } catch (const ExperimentRefused& refused) {
      return refused.what();
    }
  }

  /// Leaves only the two arms that hide.
  void keep_one_objective() { experiment["arms"].erase(0); }

  testing_support::PlanFolder folder;
  Json experiment = testing_support::small_experiment();
  const std::vector<ProbeSpec> own = {own_probe()};
  const std::vector<ProbeSpec> both = {labels_probe(), own_probe()};
};

TEST_F(Primary, IsSuggestedAmongTheMetricsOfTheProbesThatCompareAllArms) {
  experiment["probes"] = {"own"};
  keep_one_objective();
  EXPECT_THAT(refusal(both), AllOf(HasSubstr("\"analysis\" names no primary metric"),
                                   HasSubstr("chosen before the run: \"primary\": \"own.common\""),
                                   Not(HasSubstr("own.loss"))));
}

TEST_F(Primary, IsSuggestedWithTheProbeThatMeasuresItIfNoneIsListed) {
  experiment["probes"] = Json::array();
  keep_one_objective();
  EXPECT_THAT(refusal(both),
              HasSubstr("\"primary\": \"own.common\", measured by the probe \"own\", "
                        "which \"probes\" must list"))
      << "rather than a probe that needs settings";
}

TEST_F(Primary, IsSuggestedWithAProbeThatNeedsSettingsIfNoOtherComparesTheArms) {
  experiment["probes"] = {"own"};
  EXPECT_THAT(refusal(both),
              HasSubstr("\"primary\": \"labels.accuracy\", measured by the probe \"labels\", which "
                        "\"probes\" must list; it needs settings: see ablate describe labels"));
}

TEST_F(Primary, IsSuggestedForSomeArmsIfNoMetricComparesAll) {
  experiment["probes"] = {"own"};
  EXPECT_THAT(refusal(own), HasSubstr("\"primary\": \"own.common\", which compares 1 of 2 arms"));
  experiment["arms"].erase(1);
  experiment["arms"].push_back({{"name", "hide"}, {"set", {{"objective", {{"type", "hide"}}}}}});
  experiment["baseline"] = "plain";
  EXPECT_THAT(refusal(own), HasSubstr("compare arms of one objective"));
}

TEST_F(Primary, ThatNoProbeYieldsIsAnsweredWithOneThatComparesTheArms) {
  experiment["probes"] = {"own"};
  experiment["analysis"]["primary"] = "own.lost";
  EXPECT_THAT(refusal(both),
              AllOf(HasSubstr("no probe of this experiment yields the metric 'own.lost'"),
                    HasSubstr("\"primary\": \"labels.accuracy\""),
                    Not(HasSubstr("did you mean 'own.loss'"))));
  keep_one_objective();
  experiment["analysis"]["primary"] = "own.comon";
  EXPECT_THAT(refusal(both),
              HasSubstr("did you mean 'own.common'? there are: own.loss, own.common"));
}

TEST_F(Primary, OfAProbeThatIsNotListedIsAnsweredWithTheProbe) {
  experiment["probes"] = {"own"};
  experiment["analysis"]["primary"] = "labels.accuracy";
  EXPECT_THAT(refusal(both),
              HasSubstr("the probe \"labels\" measures it: list it under \"probes\""));
}

TEST_F(Primary, ThatIsAFractionHasNoSmallestEffectAboveOne) {
  experiment["probes"] = {"own", {{"type", "labels"}, {"file", "labels.jsonl"}}};
  experiment["analysis"]["primary"] = "labels.accuracy";
  experiment["analysis"]["smallest_effect"] = 2;
  EXPECT_THAT(refusal(both),
              AllOf(HasSubstr("the smallest effect of interest is 2, and labels.accuracy is a "
                              "fraction: no two differ by more than 1"),
                    HasSubstr("0.02 are two points of a hundred")));
  experiment["analysis"]["smallest_effect"] = 0.02;
  EXPECT_EQ(refusal(both), "");
  keep_one_objective();
  experiment["analysis"] = {{"primary", "own.common"}, {"smallest_effect", 2}};
  EXPECT_EQ(refusal(both), "") << "nats may differ by two";
}

TEST_F(Primary, ThatIsEmptyIsNone) {
  experiment["probes"] = {"own"};
  experiment["analysis"]["primary"] = "";
  EXPECT_THAT(refusal(both), HasSubstr("\"analysis\" names no primary metric"));
  experiment["analysis"]["primary"] = 3;
  EXPECT_THAT(refusal(both), Not(HasSubstr("names no primary metric"))) << "one is named, badly";
}

TEST_F(Primary, IsRefusedTogetherWithAnAbsentBudget) {
  experiment["train"].erase("budget");
  experiment["probes"] = {"own"};
  EXPECT_THAT(refusal(both), AllOf(HasSubstr("the experiment has no budget"),
                                   HasSubstr("\"analysis\" names no primary metric")));
}

TEST_F(Primary, IsAskedForWithoutASuggestionIfTheCorpusIsUnknown) {
  experiment["corpus"] = {{"kind", "tongue"}};
  experiment["probes"] = {"own"};
  EXPECT_THAT(refusal(both), AllOf(HasSubstr("no kind of corpus is named 'tongue'"),
                                   HasSubstr("\"analysis\" names no primary metric"),
                                   Not(HasSubstr("\"primary\": "))));
}

}  // namespace
}  // namespace ablate::plan
