// The verdicts as text: every claim has one, and nothing in them is obeyed.

#include "reports/claims/claims_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/claims/claims_json.h"
#include "tests/reports/claims/claim_store.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

ClaimSet two_claims() {
  Claim absent = claim_of_arms(Expectation::lower);
  absent.id = "absent";
  absent.experiment = "another";
  return {{claim_of_arms(Expectation::higher), absent},
          {{"untold", "Three is more", "Else 2021, table 1", "No probe counts."}}};
}

class ClaimsDocument : public testing::Test {
 protected:
  const ClaimSet set_ = two_claims();
  const store::Records records_ = small_records();
  const Analysis analysis_ = analyse(records_);
  const ClaimStore store_{"results/small", &analysis_};
  const std::vector<JudgedClaim> judged_ = judge_claims(set_, {&store_, 1}, "experiments");
};

TEST_F(ClaimsDocument, TheTableHasAVerdictForEveryClaim) {
  EXPECT_EQ(claims_summary(judged_),
            "1 reproduced, 0 contradicted at this scale, 0 not resolved, 1 not run.");
  const std::string text = claims_text(set_, judged_);
  EXPECT_THAT(text,
              testing::ContainsRegex(
                  "of-arms +\\| held_out.excess: mlm above clm +\\| +0.502 .+ 0.018 +\\| 0.031 +"
                  "\\| reproduced"));
  EXPECT_THAT(text, testing::ContainsRegex("absent .*not run"));
  EXPECT_THAT(text, HasSubstr("    ablate run experiments/another.json --results results/another"));
}

TEST_F(ClaimsDocument, ThePageHasSourcesAndWhatCannotBeTested) {
  const std::string page = claims_page(set_, judged_);
  for (const char* part :
       {"Somebody 2020, section 3", "There: large.", "**reproduced.** 0.502 ± 0.018 nats/target",
        "over 6 seeds", "results/small, 1.6 M tokens of text", "Three is more", "No probe counts."})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST_F(ClaimsDocument, TheJsonHasTheNumbers) {
  const Json json = claims_json(set_, judged_);
  EXPECT_EQ(json["counts"]["reproduced"], 1);
  EXPECT_EQ(json["counts"]["not run"], 1);
  EXPECT_EQ(json["claims"][0]["verdict"], "reproduced");
  EXPECT_EQ(json["claims"][0]["n"], 6);
  EXPECT_DOUBLE_EQ(json["claims"][0]["p"], 2.0 / 64);
  EXPECT_TRUE(json["claims"][1]["mean"].is_null());
  EXPECT_EQ(json["untestable"][0]["id"], "untold");
}

TEST(ClaimsDocumentOnText, ARepeatStandsInTheRowOfItsClaim) {
  ClaimSet set;
  Claim repeat = claim_of_arms(Expectation::lower);
  repeat.id = "of-arms-on-text";
  repeat.on_text_of = "of-arms";
  repeat.scale = "Here: bytes.";
  Claim alone = claim_of_arms(Expectation::higher);
  alone.id = "alone";
  alone.experiment = "another";
  set.claims = {claim_of_arms(Expectation::higher), repeat, alone};
  const store::Records of_language = small_records();
  store::Records of_text = small_records();
  for (Json& arm : of_text.plan["arms"]) arm["config"]["corpus"] = {{"kind", "text"}};
  const Analysis language = analyse(of_language), text = analyse(of_text);
  const std::vector<ClaimStore> stores = {{"a", &language}, {"b", &text}};
  const auto judged = judge_claims(set, stores, "experiments");

  EXPECT_EQ(claims_summary(judged),
            "1 reproduced, 0 contradicted at this scale, 0 not resolved, 1 not run. On text: "
            "0 reproduced, 1 contradicted at this scale, 0 not resolved, 0 not run.");
  const std::string table = claims_text(set, judged);
  EXPECT_THAT(table, testing::ContainsRegex("of-arms .*reproduced .*contradicted at this scale "
                                            "\\(0.502 ± 0.018, p = 0.031\\)"));
  EXPECT_THAT(table, testing::ContainsRegex("alone .*not run +\\| – "));
  EXPECT_THAT(table, Not(HasSubstr("of-arms-on-text")));
  const std::string page = claims_page(set, judged);
  EXPECT_THAT(page, HasSubstr("On text. Tested as: held_out.excess: mlm below clm, in experiment "
                              "small. Here: bytes.\n\n**contradicted at this scale.**"));
  const Json json = claims_json(set, judged);
  EXPECT_EQ(json["counts"]["contradicted at this scale"], 0);
  EXPECT_EQ(json["counts_on_text"]["contradicted at this scale"], 1);
  EXPECT_EQ(json["claims"][1]["on_text_of"], "of-arms");
}

TEST(ClaimsDocumentHostile, TextIsShownAndNotObeyed) {
  Claim claim = claim_of_arms(Expectation::higher);
  claim.arm = claim.sentence = claim.source = claim.scale = claim.experiment = kHostile;
  const ClaimSet set{{claim}, {{"x", kHostile, kHostile, kHostile}}};
  const auto judged = judge_claims(set, {}, "experiments");
  for (const std::string& text : {claims_text(set, judged), claims_page(set, judged)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(testing::ContainsRegex("(^|\n)[^ \n][^\n]*[^\\]<img")));
  }
}

TEST(ClaimsText, HasARowForWhatNoExperimentTests) {
  const ClaimSet set{{},
                     {{"far-off", "Something else holds", "Somebody 2020", "No probe sees it."}}};
  EXPECT_THAT(claims_text(set, {}), testing::HasSubstr("far-off"));
  EXPECT_THAT(claims_text(set, {}), testing::HasSubstr("not run: No probe sees it."));
}

}  // namespace
}  // namespace ablate::reports
