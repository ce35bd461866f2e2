// What an objective did is counted correctly and compared with what was intended.

#include "harness/contract/realised.h"

#include <gtest/gtest.h>

namespace ablate {
namespace {

const std::vector<Token> kTokens = {begin_token, 16, 17, 18, 19, 20, 21, 22, 23, end_token};
const Text kText{.tokens = kTokens};

/// Hides 17 and 18 (one run of two) and 22; scores those and no others.
Example masked() {
  Example example{.inputs = kTokens, .targets = kTokens, .weights = std::vector<float>(10, 0.0f)};
  example.hidden = {{2, HiddenAs::mask}, {3, HiddenAs::random}, {7, HiddenAs::mask}};
  for (const Hidden& hidden : example.hidden)
    example.weights[static_cast<std::size_t>(hidden.position)] = 1;
  return example;
}

TEST(Realised, CountsWhatWasHiddenAmongTheTextsOwnTokens) {
  Realised realised;
  realised.add(kText, masked());
  EXPECT_EQ(realised.json(), Json::parse(R"({
    "corruption": 0.375, "prediction": 0.375,
    "mask": 0.6666666666666666, "random": 0.3333333333333333, "keep": 0.0,
    "spans": {"1": 1, "2": 1}, "mean_span": 1.5,
    "positions": [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]})"));
}

TEST(Realised, CountsScoredTokensOfAContinuationExceptSpecialOnes) {
  Example all{.targets = kTokens, .weights = std::vector<float>(10, 1.0f)};
  all.weights[0] = 0;
  all.weights[1] = 0;  // nothing stands before it
  Realised realised;
  realised.add(kText, all);
  EXPECT_DOUBLE_EQ(realised.prediction(), 7.0 / 8);  // the end token is none of the eight
  EXPECT_EQ(realised.corruption(), 0);

  const Example spans{.targets = {99, 17, 18, 98, 22}, .weights = std::vector<float>(5, 1.0f)};
  Realised of_spans;
  of_spans.add(kText, spans);
  EXPECT_DOUBLE_EQ(of_spans.prediction(), 3.0 / 8);  // 99 and 98 are sentinels
}

TEST(Realised, AddsUpInAnyGrouping) {
  Example none{.inputs = kTokens, .targets = kTokens, .weights = std::vector<float>(10, 0.0f)};
  Realised together, first, second;
  together.add(kText, masked());
  together.add(kText, none);
  first.add(kText, masked());
  second.add(kText, none);
  second += first;
  EXPECT_EQ(together.json(), second.json());
  EXPECT_DOUBLE_EQ(second.corruption(), 3.0 / 16);
}

TEST(Realised, GoesOnFromItsStateToTheBit) {
  Realised whole, part;
  Example example = masked();
  for (int i = 0; i < 9; ++i) {
    example.facts = {{"depth", 0.1 * i}};
    whole.add(kText, example);
    part.add(kText, example);
    if (i % 4 == 3) part = Realised::from_state(Json::parse(part.state().dump()));
  }
  EXPECT_EQ(part.json(), whole.json());
  EXPECT_EQ(part.state(), whole.state());
  EXPECT_EQ(part.find("depth")->error(0.3), whole.find("depth")->error(0.3));
}

TEST(Realised, IsZeroBeforeAnythingWasAdded) {
  const Realised realised;
  EXPECT_EQ(realised.corruption(), 0);
  EXPECT_EQ(realised.json()["mask"], 0.0);
  EXPECT_EQ(realised.json()["positions"], Json(std::vector<double>(10, 0.0)));
}

TEST(Realised, SpreadsTextsOfAnyLengthOverTenths) {
  for (const std::size_t length : {1u, 7u, 10u, 64u, 101u}) {
    const std::vector<Token> tokens(length, 16);
    Example example{
        .inputs = tokens, .targets = tokens, .weights = std::vector<float>(length, 1.0f)};
    for (std::size_t i = 0; i < length; ++i)
      example.hidden.push_back({static_cast<std::int32_t>(i), HiddenAs::keep});
    Realised realised;
    realised.add({.tokens = tokens}, example);
    const Json json = realised.json();
    for (const Json& tenth : json["positions"])
      EXPECT_TRUE(tenth == 1.0 || (length < 10 && tenth == 0.0)) << length;
    EXPECT_EQ(json["spans"], Json({{std::to_string(length), 1}}));
  }
}

TEST(Realised, KeepsTheMeanOfEachFactOverTheExamplesThatStateIt) {
  Example says = masked(), says_not = masked();
  says.facts = {{"spm", 1}};
  Realised realised, more;
  realised.add(kText, says);
  realised.add(kText, says_not);
  says.facts = {{"spm", 0}, {"cut", 3}};
  more.add(kText, says);
  realised += more;
  EXPECT_EQ(realised.json()["spm"], 0.5);
  EXPECT_EQ(realised.json()["cut"], 3.0);
  EXPECT_EQ(realised.examples(), 3);
}

TEST(Realised, KeepsTheSumOfAFactOverItsCases) {
  Realised realised;
  realised.add("sampled_right", 3, 4);
  realised.add("sampled_right", 0, 8);
  EXPECT_EQ(realised.json().at("sampled_right"), 0.25);
  EXPECT_EQ(realised.examples(), 0);
  EXPECT_EQ(Realised::from_state(realised.state()).json(), realised.json());
}

TEST(Deviation, IsStatedIfAMeanDiffersByMoreThanChanceAndTolerance) {
  Realised realised;
  for (int i = 0; i < 10000; ++i) realised.add(kText, masked());  // hides .375
  EXPECT_EQ(deviation({{"corruption", 0.375, 0}}, realised), "");
  EXPECT_EQ(deviation({{"mask", 0.67, 0.01}}, realised), "");
  EXPECT_EQ(deviation({{"corruption", 0.45, 0.08}}, realised), "");
  EXPECT_EQ(deviation({{"never_said", 0.45, 0}}, realised), "");
  EXPECT_EQ(deviation({{"prediction", 0.375, 0}, {"corruption", 0.45, 0}}, realised),
            "the objective did not do what it states: corruption was 0.375 over 10000 examples, "
            "0.45 is intended, within 0.00375");
  EXPECT_EQ(deviation({{"corruption", 0.45, 0, true}}, realised), "") << "less is as intended";
  EXPECT_EQ(deviation({{"corruption", 0.3, 0, true}}, realised),
            "the objective did not do what it states: corruption was 0.375 over 10000 examples, "
            "at most 0.3 is intended, within 0.00375");
  // Half of the examples hide three of eight tokens, the other half none.
  Example none{.inputs = kTokens, .targets = kTokens, .weights = std::vector<float>(10, 0.0f)};
  Realised varied;
  for (int i = 0; i < 400; ++i) varied.add(kText, i % 2 == 0 ? masked() : none);
  EXPECT_EQ(deviation({{"corruption", 0.22, 0}}, varied), "") << "5 standard errors are .05";
  EXPECT_NE(deviation({{"corruption", 0.30, 0}}, varied), "");
  Realised little;
  little.add(kText, masked());
  EXPECT_EQ(deviation({{"corruption", 0.45, 0}}, little), "") << "one example proves nothing";
}

}  // namespace
}  // namespace ablate
