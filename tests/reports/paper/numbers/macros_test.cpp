// A macro for every number: letters alone, no name twice, and each with its place in report.json.

#include "reports/paper/numbers/macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "reports/report.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

TEST(Macros, HaveLettersAndNoNameTwice) {
  store::Records records = small_records();
  for (const char* twin : {"a-b", "a_b"}) {
    records.plan["arms"].push_back(plan_arm(twin, false, "masked_lm", 0.5));
    records.plan["metrics"][twin] = small_metrics();
    records.trials.push_back(small_trial(twin, 1, .1));
  }
  for (const store::Records& each : {records, hostile_records()}) {
    std::set<std::string> names;
    for (const Macro& macro : macros_of(analyse(each))) {
      EXPECT_TRUE(std::regex_match(macro.name, std::regex("Ablate[A-Za-z]+"))) << macro.name;
      EXPECT_TRUE(names.insert(macro.name).second) << macro.name;
    }
  }
  const Analysis analysis = analyse(records);
  const std::string file = numbers_file(analysis, macros_of(analysis));
  EXPECT_THAT(file, HasSubstr("\\newcommand{\\AblateSmallMlmHeldOutExcess}{$0.73 \\pm 0.03$}% mlm, "
                              "held_out.excess: /arms/1/metrics/held_out.excess\n"));
  EXPECT_THAT(file, HasSubstr("\\newcommand{\\AblateSmallDiffMlmHeldOutExcessP}{$0.094$}"));
}

TEST(Macros, AddingAnArmChangesNoOther) {
  store::Records records = small_records();
  std::set<std::string> before;
  for (const Macro& macro : macros_of(analyse(records))) before.insert(macro.name);
  records.plan["arms"].push_back(plan_arm("third", false, "masked_lm", 0.5));
  records.plan["metrics"]["third"] = small_metrics();
  records.trials.push_back(small_trial("third", 1, .1));
  std::set<std::string> after;
  for (const Macro& macro : macros_of(analyse(records))) after.insert(macro.name);
  EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
}

/// The first number in a text of LaTeX.
double number_in(const std::string& text) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(R"(-?[0-9]+(\.[0-9]+)?)")) ? std::stod(found[0])
                                                                              : std::nan("");
}

TEST(Macros, StandForTheNumbersAtTheirPlacesInTheJson) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.02;
  const Json json = Report(records).json();
  std::size_t seen = 0;
  for (const Macro& macro : macros_of(analyse(records))) {
    const Json::json_pointer place(macro.source);
    ASSERT_TRUE(json.contains(place)) << macro.source;
    const Json& found = json.at(place).is_object() ? json.at(place).at("mean") : json.at(place);
    if (macro.text.find('<') != macro.text.npos) continue;
    EXPECT_NEAR(number_in(macro.text), found.get<double>(),
                .006 * std::abs(found.get<double>()) + .006)
        << macro.name << " at " << macro.source;
    ++seen;
  }
  EXPECT_GT(seen, 40u);
}

TEST(Macros, ThatNothingStandsForAreOurMistake) {
  const store::Records records = small_records();
  EXPECT_THROW(macro_at(macros_of(analyse(records)), "/nowhere"), std::logic_error);
}

}  // namespace
}  // namespace ablate::reports
