// A macro for every number: letters alone, no name twice, and each with its place in report.json.

#include "reports/paper/numbers/macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "tests/reports/dynamics.h"
#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/task_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

std::vector<Macro> macros_in(const store::Records& records) {
  return macros_of(analyse(records), json_of(records));
}

TEST(Macros, HaveLettersAndNoNameTwice) {
  store::Records records = small_records();
  for (const char* twin : {"a-b", "a_b"}) {
    records.plan["arms"].push_back(plan_arm(twin, false, "masked_lm", 0.5));
    records.plan["metrics"][twin] = small_metrics();
    records.trials.push_back(small_trial(twin, 1, .1));
  }
  for (const store::Records& each : {records, hostile_records()}) {
    std::set<std::string> names;
    for (const Macro& macro : macros_in(each)) {
      EXPECT_TRUE(std::regex_match(macro.name, std::regex("Ablate[A-Za-z]+"))) << macro.name;
      EXPECT_TRUE(names.insert(macro.name).second) << macro.name;
    }
  }
  const Analysis analysis = analyse(records);
  const std::string file = numbers_file(analysis, macros_in(records));
  EXPECT_THAT(file, HasSubstr("\\newcommand{\\AblateSmallMlmHeldOutExcess}{$0.73 \\pm 0.03$}% mlm, "
                              "held_out.excess: /arms/1/metrics/held_out.excess\n"));
  EXPECT_THAT(file, HasSubstr("\\newcommand{\\AblateSmallDiffMlmHeldOutExcessP}{$0.094$}"));
}

TEST(Macros, AddingAnArmChangesNoOther) {
  store::Records records = small_records();
  std::set<std::string> before;
  for (const Macro& macro : macros_in(records)) before.insert(macro.name);
  records.plan["arms"].push_back(plan_arm("third", false, "masked_lm", 0.5));
  records.plan["metrics"]["third"] = small_metrics();
  records.trials.push_back(small_trial("third", 1, .1));
  std::set<std::string> after;
  for (const Macro& macro : macros_in(records)) after.insert(macro.name);
  EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
}

/// The first number in a text of LaTeX.
double number_in(const std::string& text) {
  std::smatch found;
  const std::regex number(R"((-?[0-9]+(\.[0-9]+)?)( \\times 10\^\{(-?[0-9]+)\})?)");
  if (!std::regex_search(text, found, number)) return std::nan("");
  return std::stod(found[1]) * (found[4].matched ? std::pow(10, std::stod(found[4])) : 1);
}

/// Checks every macro against its place in the JSON; returns how many there are.
std::size_t checked(const store::Records& records) {
  const Json json = json_of(records);
  std::size_t seen = 0;
  for (const Macro& macro : macros_in(records)) {
    const Json::json_pointer place(macro.source);
    EXPECT_TRUE(json.contains(place)) << macro.source;
    if (!json.contains(place)) continue;
    const Json& found = json.at(place).is_object() ? json.at(place).at("mean") : json.at(place);
    if (macro.text.find('<') != macro.text.npos) continue;
    EXPECT_NEAR(number_in(macro.text), found.get<double>(),
                .006 * std::abs(found.get<double>()) + .006)
        << macro.name << " at " << macro.source;
    ++seen;
  }
  return seen;
}

TEST(Macros, StandForTheNumbersAtTheirPlacesInTheJson) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.02;
  EXPECT_GT(checked(records), 40u);
  EXPECT_GT(checked(with_tasks(5, {.5, .6, .7})), 100u);
  EXPECT_GT(
      checked(with_dynamics(
          {10, 20, 40}, [](std::int64_t step) { return .8 - .005 * static_cast<double>(step); })),
      60u);
}

TEST(Macros, AreThereForTheNumbersOfEveryTable) {
  const auto has = [](const store::Records& records, const std::string& name) {
    const std::vector<Macro> macros = macros_in(records);
    return std::ranges::any_of(macros, [&](const Macro& macro) { return macro.name == name; });
  };
  EXPECT_TRUE(has(small_records(), "AblateSmallSensitivityMlmHeldOutExcessDZ"));
  EXPECT_TRUE(has(small_records(), "AblateSmallLedgerMlmTextTokens"));
  const store::Records tasks = with_tasks(5, {.5, .6});
  EXPECT_TRUE(has(tasks, "AblateSmallTasksArmsBInterquartileMean"));
  EXPECT_TRUE(has(tasks, "AblateSmallTasksArmsBMeanRank"));
  EXPECT_TRUE(has(tasks, "AblateSmallTasksArmsBImprovementCiLow"));
}

TEST(Macros, ThatNothingStandsForAreOurMistake) {
  const store::Records records = small_records();
  EXPECT_THROW(macro_at(macros_in(records), "/nowhere"), std::logic_error);
}

}  // namespace
}  // namespace ablate::reports
