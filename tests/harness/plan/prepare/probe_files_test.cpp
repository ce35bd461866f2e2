// What probes say of their files is in the plan: facts in a list of their own, slips among the
// warnings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/trial/plan_json.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::Contains;
using testing::ElementsAre;

constexpr const char* kFact = "probes.loss: train: 12 documents";
constexpr const char* kSlip = "probes.loss: train and test are the same file";

/// The probe "loss", which here reads files.
Plan plan_with_files(const testing_support::PlanFolder& folder) {
  std::vector<ProbeSpec> probes = {testing_support::loss_probe()};
  probes[0].prepare = [](const Params& settings, const Preparation& preparation) {
    preparation.note("train: 12 documents");
    preparation.warn("train and test are the same file");
    return settings.json();
  };
  Catalog catalog = testing_support::small_catalog();
  catalog.probes = probes;
  return make_plan(catalog,
                   folder.write("experiment.json", testing_support::small_experiment().dump()), {});
}

TEST(ProbeFiles, AreDescribedInThePlan) {
  const testing_support::PlanFolder folder;
  const Plan plan = plan_with_files(folder);
  EXPECT_THAT(plan.probe_files, ElementsAre(kFact));
  EXPECT_THAT(plan.warnings, Contains(kSlip));
  EXPECT_EQ(plan_from_json(to_json(plan)).probe_files, plan.probe_files);
}

TEST(ProbeFiles, ChangeNoId) {
  const testing_support::PlanFolder folder;
  const Plan with = plan_with_files(folder);
  const Plan without = testing_support::plan_of(folder, testing_support::small_experiment());
  ASSERT_EQ(with.trials.size(), without.trials.size());
  EXPECT_EQ(with.trials[0].id, without.trials[0].id);
  EXPECT_EQ(with.trials[0].probes, without.trials[0].probes);
  EXPECT_FALSE(to_json(without).contains("probe_files"));
}

}  // namespace
}  // namespace ablate::plan
