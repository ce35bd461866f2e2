// A paragraph on the result: it claims what was tested, and its numbers are macros.

#include "reports/paper/snippet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

std::string snippet_of(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return snippet(analysis, macros_of(analysis, json_of(records)));
}

TEST(Snippet, CitesEveryMeasuredNumberByItsMacro) {
  const std::string text = snippet_of(small_records());
  EXPECT_THAT(text, HasSubstr("where clm reaches \\AblateSmallClmHeldOutExcess{},\n"));
  EXPECT_THAT(text,
              HasSubstr("mlm is worse than clm (difference \\AblateSmallDiffMlmHeldOutExcess{} "
                        "over \\AblateSmallDiffMlmHeldOutExcessN{} pairs; $p$-value "
                        "\\AblateSmallDiffMlmHeldOutExcessP{})"));
  EXPECT_FALSE(
      std::regex_search(std::regex_replace(text, std::regex("95"), ""), std::regex("[0-9]")))
      << text;
}

TEST(Snippet, ClaimsNoMoreThanTheVerdict) {
  store::Records records = small_records();
  std::erase_if(records.trials, [](const store::TrialRecord& trial) { return trial.seed > 3; });
  EXPECT_THAT(snippet_of(records), HasSubstr("mlm against clm is not testable with 3 seeds"));
  records = small_records();
  records.plan["analysis"]["smallest_effect"] = 5;
  EXPECT_THAT(snippet_of(records), HasSubstr("is equivalent to clm within $\\pm$"));
  records.plan["analysis"]["primary"] = "held_out.loss";
  EXPECT_THAT(snippet_of(records), HasSubstr("mlm is not comparable with clm."));
}

TEST(Snippet, SaysWhichArmsAreNotShownToHaveLearned) {
  EXPECT_THAT(snippet_of(with_gains(.2, 0)),
              HasSubstr("In topic.accuracy, mlm is not shown to beat the untrained "
                        "model.\n"));
  EXPECT_THAT(snippet_of(with_gains(.2, .1)), testing::Not(HasSubstr("shown to beat")));
}

TEST(Snippet, SaysWhereNothingWasTested) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = nullptr;
  EXPECT_THAT(snippet_of(records), HasSubstr("no difference was tested"));
}

}  // namespace
}  // namespace ablate::reports
