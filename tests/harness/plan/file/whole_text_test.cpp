// An experiment as one file plans what the file, its bases and its flags planned.

#include "harness/plan/file/whole_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/plan/make_plan.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::PlanFolder;
using testing_support::small_catalog;
using testing_support::small_experiment;

std::vector<std::string> ids_planned(const Plan& plan) {
  std::vector<std::string> ids;
  for (const Trial& trial : plan.trials) ids.push_back(trial.id);
  return ids;
}

/// The trials of a text in a folder of its own.
std::vector<std::string> ids_planned_elsewhere(const std::string& text) {
  const PlanFolder folder;
  return ids_planned(make_plan(small_catalog(), folder.write("experiment.json", text), {}));
}

TEST(WholeText, IsThatOfAFileThatIsWhole) {
  const PlanFolder folder;
  const std::string text = "// A question.\n" + small_experiment().dump(1);
  const auto file = folder.write("e.json", text);
  EXPECT_EQ(whole_text(file, {}), text);
  EXPECT_EQ(whole_text(file, {.only = {"seed=1"}, .drop = {"plain"}}), text);
}

TEST(WholeText, PlansTheSameWhereItsBasesAreNot) {
  const PlanFolder folder;
  Json base = small_experiment(), own = {{"extends", {"base.json"}}, {"seeds", 7}};
  base["$schema"] = "x.schema.json";
  own["name"] = base.at("name");
  base.erase("name");
  folder.write("base.json", base.dump());
  const auto file = folder.write("e.json", "// Which?\n// Expected: none.\n\n" + own.dump());
  for (const Overrides& overrides :
       {Overrides{}, Overrides{.set = {"train.learning_rate=0.01", "seeds=[8,9,10]"}},
        Overrides{.arms = {"more:objective.type=hide,objective.rate=0.4"}}}) {
    const std::string whole = whole_text(file, overrides);
    EXPECT_THAT(whole, StartsWith("// Which?\n// Expected: none.\n{"));
    EXPECT_THAT(whole, Not(HasSubstr("base.json")));
    EXPECT_EQ(ids_planned_elsewhere(whole),
              ids_planned(make_plan(small_catalog(), file, overrides)))
        << whole;
  }
}

}  // namespace
}  // namespace ablate::plan
