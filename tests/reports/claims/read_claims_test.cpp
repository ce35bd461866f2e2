// Files of claims: what is read, and what is refused with its line.

#include "reports/claims/read_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/json/json.h"

namespace ablate::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Json claim_row() {
  return {{"id", "a-claim"},
          {"claim", "One is better"},
          {"source", "Somebody 2020, section 3"},
          {"experiment", "small"},
          {"metric", "held_out.excess"},
          {"expect", {{"is", "higher"}, {"arm", "mlm"}, {"baseline", "clm"}}},
          {"scale", "There: large."}};
}

Json file_of(const Json& row) { return {{"claims", {row}}, {"untestable", Json::array()}}; }

std::string refusal_of(const Json& file) {
  try {
    read_claims("mine.json", file.dump(1));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_expect(const Json& expect) {
  Json row = claim_row();
  row["expect"] = expect;
  return refusal_of(file_of(row));
}

TEST(ReadClaims, KeepsEverythingThatIsGiven) {
  Json file = file_of(claim_row());
  file["claims"][0]["flags"] = {"--set", "seeds=9"};
  file["claims"][0]["effect"] = 0.3;
  file["untestable"] = {
      {{"id", "other"}, {"claim", "Two"}, {"source", "Else 2021"}, {"reason", "no probe"}}};
  const ClaimSet set = read_claims("mine.json", "// a comment\n" + file.dump());
  ASSERT_EQ(set.claims.size(), 1);
  EXPECT_EQ(set.claims[0].sentence, "One is better");
  EXPECT_EQ(set.claims[0].flags, (std::vector<std::string>{"--set", "seeds=9"}));
  EXPECT_EQ(set.claims[0].effect, 0.3);
  EXPECT_EQ(comparison_text(set.claims[0]), "held_out.excess: mlm above clm");
  ASSERT_EQ(set.untestable.size(), 1);
  EXPECT_EQ(set.untestable[0].reason, "no probe");
}

TEST(ReadClaims, ReadsEveryExpectation) {
  for (const Expectation expected : kExpectations) {
    Json row = claim_row();
    row["expect"] = compares_arms(expected)
                        ? Json{{"arm", "mlm"}, {"baseline", "clm"}}
                        : Json{{"family", "mlm"}, {"along", "objective.rate"}, {"minus", "clm"}};
    row["expect"]["is"] = name_of(expected);
    if (expected == Expectation::equal) row["expect"]["margin"] = 0.02;
    const ClaimSet set = read_claims("mine.json", file_of(row).dump());
    EXPECT_EQ(set.claims.at(0).expected, expected) << name_of(expected);
  }
}

TEST(ReadClaims, ReadsAnAmountInPlaceOfABaseline) {
  Json row = claim_row();
  row["expect"] = {{"is", "lower"}, {"arm", "mlm"}, {"than", 0.8}};
  const Claim claim = read_claims("mine.json", file_of(row).dump()).claims.at(0);
  EXPECT_EQ(claim.amount, 0.8);
  EXPECT_EQ(comparison_text(claim), "held_out.excess: mlm below 0.8");
  EXPECT_THAT(refusal_of_expect({{"is", "higher"}, {"arm", "a"}, {"than", true}}),
              AllOf(HasSubstr("\"than\" must be a number"), HasSubstr("named by \"baseline\"")));
  EXPECT_THAT(refusal_of_expect({{"is", "higher"}, {"arm", "a"}, {"baseline", "b"}, {"than", 1}}),
              HasSubstr("unknown key \"baseline\""));
  EXPECT_THAT(refusal_of_expect(
                  {{"is", "equal"}, {"arm", "a"}, {"baseline", "b"}, {"margin", 1}, {"than", 1}}),
              HasSubstr("unknown key \"baseline\""));
  row["expect"] = {{"is", "equal"}, {"arm", "mlm"}, {"than", 0.8}, {"margin", 0.1}};
  EXPECT_EQ(comparison_text(read_claims("mine.json", file_of(row).dump()).claims.at(0)),
            "held_out.excess: mlm = 0.8 ± 0.1");
}

Json with_repeat(Json repeat) {
  repeat.update({{"id", "a-claim-on-text"}, {"scale", "Here: bytes."}});
  Json file = file_of(claim_row());
  file["claims"][0]["effect"] = 0.3;
  file["claims"].push_back(std::move(repeat));
  file["text_flags"] = {"--set", "corpus.kind=text"};
  return file;
}

TEST(ReadClaims, ARepeatOnTextHasWhatItDoesNotSayFromTheClaimThatItRepeats) {
  const Json short_form = {{"on_text_of", "a-claim"}, {"flags", {"--set", "seeds=9"}}};
  const ClaimSet set = read_claims("mine.json", with_repeat(short_form).dump());
  ASSERT_EQ(set.claims.size(), 2u);
  EXPECT_TRUE(set.claims[0].flags.empty());
  const Claim& repeat = set.claims[1];
  EXPECT_EQ(repeat.on_text_of, "a-claim");
  EXPECT_EQ(repeat.sentence, "One is better");
  EXPECT_EQ(comparison_text(repeat), comparison_text(set.claims[0]));
  EXPECT_EQ(repeat.scale, "Here: bytes.");
  EXPECT_FALSE(repeat.effect) << "in another unit";
  EXPECT_EQ(repeat.flags,
            (std::vector<std::string>{"--set", "corpus.kind=text", "--set", "seeds=9"}));

  const Json other = {{"on_text_of", "a-claim"},
                      {"metric", "held_out.loss"},
                      {"expect", {{"is", "lower"}, {"arm", "mlm"}, {"than", 2}}}};
  const Claim claim = read_claims("mine.json", with_repeat(other).dump()).claims.at(1);
  EXPECT_EQ(comparison_text(claim), "held_out.loss: mlm below 2");
}

TEST(ReadClaims, ARepeatOnTextNamesAClaimBeforeIt) {
  EXPECT_THAT(refusal_of(with_repeat({{"on_text_of", "another"}})),
              HasSubstr("no claim before it has the id \"another\""));
  Json file = with_repeat({{"on_text_of", "a-claim"}});
  file["claims"].push_back(file["claims"][1]);
  file["claims"][2].update({{"id", "b"}, {"on_text_of", "a-claim-on-text"}});
  EXPECT_THAT(refusal_of(file), HasSubstr("no claim before it has the id"));
  EXPECT_THAT(refusal_of(with_repeat({{"on_text_of", "a-claim"}, {"sourse", "x"}})),
              HasSubstr("did you mean 'source'?"));
}

TEST(ReadClaims, ReadsAnotherMetricInPlaceOfABaseline) {
  Json row = claim_row();
  row["expect"] = {{"is", "higher"}, {"arm", "mlm"}, {"than", "held_out.loss"}};
  const Claim claim = read_claims("mine.json", file_of(row).dump()).claims.at(0);
  EXPECT_EQ(claim.other_metric, "held_out.loss");
  EXPECT_FALSE(claim.amount);
  EXPECT_EQ(comparison_text(claim), "held_out.excess: mlm above held_out.loss");
  for (const char* refused : {"", "held_out.excess"})  // no metric, and the claim's own
    EXPECT_THAT(refusal_of_expect({{"is", "higher"}, {"arm", "mlm"}, {"than", refused}}),
                HasSubstr("the name of another metric"));
}

TEST(ReadClaims, RefusesWithLineAndRemedy) {
  Json row = claim_row();
  row["sourse"] = "x";
  row.erase("source");
  EXPECT_THAT(refusal_of(file_of(row)),
              AllOf(HasSubstr("mine.json:14:"), HasSubstr("unknown key \"sourse\""),
                    HasSubstr("did you mean 'source'?"), HasSubstr("has no \"source\"")));
  EXPECT_THAT(refusal_of_expect({{"is", "hihger"}, {"arm", "a"}, {"baseline", "b"}}),
              AllOf(HasSubstr("no expectation is named \"hihger\""), HasSubstr("'higher'")));
  EXPECT_THAT(refusal_of_expect({{"is", "equal"}, {"arm", "a"}, {"baseline", "b"}, {"margin", 0}}),
              HasSubstr("\"margin\" must be above 0"));
  EXPECT_THAT(refusal_of_expect({{"is", "equal"}, {"arm", "a"}, {"baseline", "b"}}),
              HasSubstr("has no \"margin\""));
  EXPECT_THAT(refusal_of_expect({{"is", "higher"}, {"arm", "a"}, {"baseline", "a"}}),
              HasSubstr("compared with itself"));
  EXPECT_THAT(refusal_of_expect({{"is", "rising"}, {"arm", "a"}}),
              HasSubstr("unknown key \"arm\""));
  EXPECT_THAT(refusal_of_expect("higher"), HasSubstr("must be an object with \"is\""));
}

TEST(ReadClaims, RefusesFilesOfAnotherForm) {
  EXPECT_THAT(refusal_of(Json::array()), HasSubstr("must be an object"));
  EXPECT_THAT(refusal_of({{"claims", 3}, {"untestable", Json::array()}}),
              HasSubstr("must be a list"));
  EXPECT_THAT(refusal_of({{"claims", {3}}, {"untestable", Json::array()}}),
              HasSubstr("must be an object"));
  Json row = claim_row();
  row["metric"] = 3;
  EXPECT_THAT(refusal_of(file_of(row)), HasSubstr("\"metric\" must be a text"));
  row = claim_row();
  row["flags"] = "--set seeds=9";
  EXPECT_THAT(refusal_of(file_of(row)), HasSubstr("\"flags\" must be a list of texts"));
  row["flags"] = {""};
  EXPECT_THAT(refusal_of(file_of(row)), HasSubstr("\"flags\" must be a list of texts"));
  row = claim_row();
  row["effect"] = -1;
  EXPECT_THAT(refusal_of(file_of(row)), HasSubstr("\"effect\" must be above 0"));
  row = claim_row();
  row["id"] = "A claim";
  EXPECT_THAT(refusal_of(file_of(row)), HasSubstr("an id has a-z"));
  EXPECT_THAT(refusal_of({{"claims", {claim_row(), claim_row()}}, {"untestable", Json::array()}}),
              HasSubstr("another claim has this id"));
  EXPECT_THROW(read_claims("mine.json", "{"), std::invalid_argument);
  EXPECT_THROW(read_claims("mine.json", ""), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::reports
