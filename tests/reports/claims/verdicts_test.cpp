// Verdicts on claims: effects that are planted are found, and nothing else.

#include "reports/claims/verdicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/claims/claim_store.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using enum ClaimVerdict;

/// The small experiment, whose masked arm differs from the causal one in sign by seed.
store::Records without_effect() {
  store::Records records = small_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    trial_of(records, "mlm", seed).metrics["held_out.excess"] =
        trial_of(records, "clm", seed).metrics["held_out.excess"] + (seed % 2 == 0 ? 0.1 : -0.1);
  return records;
}

TEST(ClaimVerdicts, AnEffectAsClaimedIsReproduced) {
  const JudgedClaim judged = judged_on(claim_of_arms(Expectation::higher), small_records());
  EXPECT_EQ(judged.verdict, reproduced);
  EXPECT_EQ(judged.evidence.seen.n, 6);
  EXPECT_DOUBLE_EQ(*judged.p_adjusted, 2.0 / 64);  // all six signs agree
  EXPECT_EQ(judged.unit, "nats/target");
  EXPECT_EQ(judged.scale, "1.6 M tokens of text");
  EXPECT_EQ(judged.command, "");
}

TEST(ClaimVerdicts, AnEffectTheOtherWayIsContradicted) {
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::lower), small_records()), contradicted);
}

TEST(ClaimVerdicts, TheOppositeClaimHasTheOppositeVerdict) {
  for (const double shift : {-0.4, 0.0, 0.4}) {
    store::Records records = without_effect();
    for (std::int64_t seed = 1; seed <= 6; ++seed)
      trial_of(records, "mlm", seed).metrics["held_out.excess"] += shift;
    const ClaimVerdict higher = verdict_of(claim_of_arms(Expectation::higher), records);
    const ClaimVerdict lower = verdict_of(claim_of_arms(Expectation::lower), records);
    EXPECT_EQ(higher, shift > 0 ? reproduced : shift < 0 ? contradicted : not_resolved);
    EXPECT_EQ(lower, shift < 0 ? reproduced : shift > 0 ? contradicted : not_resolved);
  }
}

TEST(ClaimVerdicts, WithoutAnEffectItIsNotResolvedAndHasItsInterval) {
  const JudgedClaim judged = judged_on(claim_of_arms(Expectation::higher), without_effect());
  EXPECT_EQ(judged.verdict, not_resolved);
  ASSERT_TRUE(judged.evidence.seen.interval);
  EXPECT_LT(judged.evidence.seen.interval->low, 0);
  EXPECT_GT(judged.evidence.seen.interval->high, 0);
}

TEST(ClaimVerdicts, AnIntervalThatHoldsZeroResolvesNothingWhateverP) {
  store::Records records = small_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed)  // all of one sign, one of them by far the largest
    trial_of(records, "mlm", seed).metrics["held_out.excess"] =
        trial_of(records, "clm", seed).metrics["held_out.excess"] + (seed == 6 ? 2 : 0.01);
  const JudgedClaim judged = judged_on(claim_of_arms(Expectation::higher), records);
  EXPECT_LT(judged.evidence.seen.interval->low, 0);
  EXPECT_EQ(*judged.p_adjusted, 1) << "the sign-flip test alone says 2 / 64";
  EXPECT_EQ(judged.verdict, not_resolved);
}

TEST(ClaimVerdicts, EqualityIsWithinAMargin) {  // the arms differ by half a nat
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::equal, 1), small_records()), reproduced);
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::equal, 0.1), small_records()), contradicted);
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::equal, 0.5), small_records()), not_resolved);
}

TEST(ClaimVerdicts, AnArmIsComparedWithAnAmount) {
  store::Records records = small_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    trial_of(records, "mlm", seed).metrics["held_out.excess"] =
        0.8 + 0.01 * static_cast<double>(seed);
  Claim claim = claim_of_arms(Expectation::higher);
  claim.baseline = "";
  claim.amount = 0.8;
  const JudgedClaim judged = judged_on(claim, records);
  EXPECT_EQ(judged.verdict, reproduced);
  EXPECT_NEAR(*judged.evidence.seen.mean, 0.035, 1e-12);
  EXPECT_EQ(judged.evidence.seen.n, 6);
  claim.expected = Expectation::lower;
  EXPECT_EQ(verdict_of(claim, records), contradicted);
  claim.amount = 0.835;  // three seeds on either side
  EXPECT_EQ(verdict_of(claim, records), not_resolved);
  trial_of(records, "mlm", 6).outcome = "diverged";
  claim.amount = 0.9;
  EXPECT_EQ(verdict_of(claim, records), not_resolved);
  EXPECT_THAT(judged_on(claim, records).evidence.note, HasSubstr("1 trial of 'mlm' diverged"));
}

TEST(ClaimVerdicts, AnArmIsEqualToAnAmountWithinAMargin) {  // mlm has a mean of .727
  Claim claim = claim_of_arms(Expectation::equal, 0.05);
  claim.baseline = "";
  claim.amount = 0.72;
  EXPECT_EQ(verdict_of(claim, small_records()), reproduced);
  claim.amount = 0.6;
  EXPECT_EQ(verdict_of(claim, small_records()), contradicted);
}

TEST(ClaimVerdicts, AMetricIsComparedWithAnotherOfTheSameArm) {
  store::Records records = small_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    auto& metrics = trial_of(records, "mlm", seed).metrics;
    metrics["held_out.loss"] = metrics.at("held_out.excess") + 1 + 0.01 * static_cast<double>(seed);
  }
  Claim claim = claim_of_arms(Expectation::lower);
  claim.baseline = "";
  claim.other_metric = "held_out.loss";
  const JudgedClaim judged = judged_on(claim, records);
  EXPECT_EQ(judged.verdict, reproduced);
  EXPECT_NEAR(*judged.evidence.seen.mean, -1.035, 1e-12);
  claim.expected = Expectation::higher;
  EXPECT_EQ(verdict_of(claim, records), contradicted);
  trial_of(records, "mlm", 6).metrics.erase("held_out.loss");
  EXPECT_EQ(judged_on(claim, records).evidence.seen.n, 5);
  claim.other_metric = "held_out.nothing";
  EXPECT_THAT(judged_on(claim, records).evidence.note,
              HasSubstr("'mlm' has no values of held_out.nothing"));
}

TEST(ClaimVerdicts, MetricsInDifferentUnitsAreRefused) {
  store::Records records = small_records();
  Claim claim = claim_of_arms(Expectation::lower);
  claim.baseline = "";
  claim.other_metric = "topic.accuracy";
  EXPECT_THROW(judged_on(claim, records), std::invalid_argument);
}

TEST(ClaimVerdicts, NothingIsConcludedFromOneSeed) {
  store::Records records = small_records();
  for (std::int64_t seed = 2; seed <= 6; ++seed) trial_of(records, "mlm", seed).outcome = "failed";
  const JudgedClaim judged = judged_on(claim_of_arms(Expectation::higher), records);
  EXPECT_EQ(judged.verdict, not_resolved);
  EXPECT_THAT(judged.evidence.note, HasSubstr("one seed"));
  trial_of(records, "mlm", 1).outcome = "failed";
  EXPECT_THAT(judged_on(claim_of_arms(Expectation::higher), records).evidence.note,
              HasSubstr("no seed has completed"));
}

TEST(ClaimVerdicts, ArmsThatDivergedUnequallyAreNotJudged) {
  store::Records records = small_records();
  trial_of(records, "mlm", 6).outcome = "diverged";
  const JudgedClaim judged = judged_on(claim_of_arms(Expectation::higher), records);
  EXPECT_EQ(judged.verdict, not_resolved);
  EXPECT_THAT(judged.evidence.note, HasSubstr("not a fair sample"));
}

TEST(ClaimVerdicts, WhatWasNotRunSaysSoWithTheCommand) {
  const std::string command = "ablate run experiments/small.json --results results/small";
  Claim claim = claim_of_arms(Expectation::higher);
  claim.arm = "absent";
  JudgedClaim judged = judged_on(claim, small_records());
  EXPECT_EQ(judged.verdict, not_run);
  EXPECT_EQ(judged.command, command);
  EXPECT_THAT(judged.evidence.note, HasSubstr("no arm 'absent'"));

  claim = claim_of_arms(Expectation::higher);
  claim.metric = "state.accuracy";
  EXPECT_THAT(judged_on(claim, small_records()).evidence.note, HasSubstr("no values of state"));

  store::Records waiting = small_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    trial_of(waiting, "mlm", seed).outcome = "unfinished";
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::higher), waiting), not_run);

  claim = claim_of_arms(Expectation::higher);
  claim.experiment = "another";
  claim.flags = {"--set", "corpus.paths=[\"a.txt\"]"};
  judged = judged_on(claim, small_records());
  EXPECT_EQ(judged.verdict, not_run);
  EXPECT_EQ(judged.folder, "");
  EXPECT_EQ(judged.command,
            "ablate run experiments/another.json --results results/another --set "
            "'corpus.paths=[\"a.txt\"]'");
}

TEST(ClaimVerdicts, ATrendIsFoundInItsDirection) {
  const store::Records rising = with_planted({.1, .2, .3, .4});
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::rising), rising), reproduced);
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::falling), rising), contradicted);
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::rising), with_planted({.2, .2, .2, .2})),
            not_resolved);
}

TEST(ClaimVerdicts, ATrendIsItsMeanChangeFromValueToValue) {
  const JudgedClaim judged =
      judged_on(claim_of_sweep(Expectation::rising), with_planted({.1, .2, .3, .4}));
  EXPECT_NEAR(*judged.evidence.seen.mean, .1, .005);
}

TEST(ClaimVerdicts, AStepTheOtherWayLeavesATrendUnresolved) {
  const JudgedClaim judged =
      judged_on(claim_of_sweep(Expectation::rising), with_planted({.1, .4, .2, .6}));
  // With six seeds and three steps no step is significant under Holm: min p is 3/32.
  EXPECT_EQ(judged.verdict, reproduced);
  store::Records records = with_planted({.1, .4, .2, .6});
  for (std::int64_t seed = 7; seed <= 12; ++seed)
    for (const double rate : {.1, .2, .3, .4}) {
      const std::string arm = fmt::format("swept[rate={}]", rate);
      store::TrialRecord trial = trial_of(records, arm, seed - 6);
      trial.seed = seed;
      trial.id += "+";
      records.trials.push_back(trial);
    }
  const JudgedClaim known = judged_on(claim_of_sweep(Expectation::rising), records);
  EXPECT_EQ(known.verdict, not_resolved);
  EXPECT_THAT(known.evidence.note, HasSubstr("from 0.2 to 0.3 it goes the other way"));
}

/// The planted sweep, with twelve seeds: tests of several places need them.
store::Records with_many_seeds(const std::vector<double>& excesses) {
  store::Records records = with_planted(excesses);
  std::vector<store::TrialRecord> more = records.trials;
  for (store::TrialRecord& trial : more) {
    trial.seed += 6;
    trial.id += "+";
    const int rate = trial.arm[trial.arm.size() - 2];  // the digit of swept[rate=0.1]
    trial.metrics["held_out.excess"] +=
        0.005 * std::sin(static_cast<double>(7 * trial.seed + 31 * rate));
  }
  records.trials.insert(records.trials.end(), more.begin(), more.end());
  return records;
}

TEST(ClaimVerdicts, AnOptimumBetweenTheEndsIsFound) {
  const store::Records valley = with_many_seeds({.4, .2, .1, .5});
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::inner_minimum), valley), reproduced);
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::inner_maximum), valley), contradicted);
  const JudgedClaim judged = judged_on(claim_of_sweep(Expectation::inner_minimum), valley);
  EXPECT_NEAR(*judged.evidence.seen.mean, -.3, .005);
  EXPECT_THAT(judged.evidence.note, HasSubstr("at 0.3 compared with the better end, 0.1"));
}

TEST(ClaimVerdicts, AnOptimumAtAnEndContradictsOneBetweenThem) {
  const store::Records slope = with_many_seeds({.1, .2, .3, .4});
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::inner_minimum), slope), contradicted);
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::inner_maximum), slope), contradicted);
  const store::Records flat = with_many_seeds({.2, .2, .2, .2});
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::inner_minimum), flat), not_resolved);
}

TEST(ClaimVerdicts, TwoValuesAreNoSweep) {
  EXPECT_EQ(verdict_of(claim_of_sweep(Expectation::rising), with_planted({.1, .2})), not_run);
}

TEST(ClaimVerdicts, OneFamilyIsSubtractedFromAnother) {
  store::Records records = with_planted({.5, .5, .5});
  const store::Records other = with_sweep("less", {.1, .2, .3});  // falls by .01 a step
  for (const Json& arm : other.plan["arms"])
    if (arm["name"].get<std::string>().starts_with("less")) {
      records.plan["arms"].push_back(arm);
      records.plan["metrics"][arm["name"].get<std::string>()] = small_metrics();
    }
  for (const store::TrialRecord& trial : other.trials)
    if (trial.arm.starts_with("less")) records.trials.push_back(trial);
  Claim claim = claim_of_sweep(Expectation::rising);
  claim.minus = "less";
  const JudgedClaim judged = judged_on(claim, records);
  EXPECT_EQ(judged.verdict, reproduced);
  EXPECT_NEAR(*judged.evidence.seen.mean, .01, .005);
}

TEST(ClaimVerdicts, ClaimsAboutAnExperimentAreOneFamily) {
  ClaimSet set{{claim_of_arms(Expectation::higher), claim_of_sweep(Expectation::rising)}, {}};
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const ClaimStore store{"results/small", &analysis};
  const auto judged = judge_claims(set, {&store, 1}, "experiments");
  EXPECT_DOUBLE_EQ(*judged.at(0).p_adjusted, 4.0 / 64);  // of two, though only one was run
  EXPECT_EQ(judged.at(0).verdict, not_resolved);
  EXPECT_EQ(judged.at(1).verdict, not_run);
}

/// The small experiment on text.
store::Records on_text(store::Records records) {
  for (Json& arm : records.plan["arms"]) arm["config"]["corpus"] = {{"kind", "text"}};
  return records;
}

TEST(ClaimVerdicts, AClaimOnTextIsJudgedByStoresOnTextAlone) {
  Claim repeated = claim_of_arms(Expectation::lower);
  repeated.id = "of-arms-on-text";
  repeated.on_text_of = "of-arms";
  repeated.flags = {"--set", "seeds=9"};
  const ClaimSet set{{claim_of_arms(Expectation::higher), repeated}, {}};
  const store::Records of_language = small_records(), of_text = on_text(small_records());
  const Analysis language = analyse(of_language), text = analyse(of_text);
  const ClaimStore on_language{"a", &language}, on_text{"b", &text};

  auto judged = judge_claims(set, {&on_language, 1}, "experiments");
  EXPECT_EQ(judged.at(0).verdict, reproduced);
  EXPECT_DOUBLE_EQ(*judged.at(0).p_adjusted, 2.0 / 64) << "the other one is of another family";
  EXPECT_EQ(judged.at(1).verdict, not_run);
  EXPECT_EQ(judged.at(1).command,
            "ablate run experiments/small.json --results results/small_on_text --set seeds=9");

  judged = judge_claims(set, {&on_text, 1}, "experiments");
  EXPECT_EQ(judged.at(0).verdict, not_run);
  EXPECT_EQ(judged.at(1).verdict, contradicted);
  EXPECT_DOUBLE_EQ(*judged.at(1).p_adjusted, 2.0 / 64);
}

TEST(ClaimVerdicts, WithoutARepeatOnTextAClaimIsJudgedByAnyStore) {
  EXPECT_EQ(verdict_of(claim_of_arms(Expectation::higher), on_text(small_records())), reproduced);
}

TEST(ClaimVerdicts, WhatIsNotResolvedSaysHowManySeedsThePublishedEffectTakes) {
  Claim claim = claim_of_arms(Expectation::higher);
  EXPECT_EQ(judged_on(claim, without_effect()).power, "") << "nothing was published";
  claim.effect = 0.05;  // the differences are .1 and -.1 in turn: their deviation is .11
  EXPECT_EQ(judged_on(claim, without_effect()).power,
            "an effect of the published size, 0.05, would take 40 seeds for a power of .8");
  EXPECT_EQ(judged_on(claim, small_records()).power, "") << "it is resolved";
  claim.effect = 1;
  EXPECT_EQ(judged_on(claim, without_effect()).power,
            "an effect of the published size, 1, would have been found with a power of 1.00");
  claim.effect = 1e-4;
  EXPECT_THAT(judged_on(claim, without_effect()).power, HasSubstr("more than 1000 seeds"));
}

TEST(ClaimVerdicts, WhatIsNotShownToBeEqualSaysHowManySeedsThatTakes) {
  const std::string few =
      judged_on(claim_of_arms(Expectation::equal, 0.05), without_effect()).power;
  EXPECT_THAT(few, testing::MatchesRegex("to show a difference of 0 to be within 0.05 would take "
                                         "[0-9]+ seeds for a power of .8"));
  const std::string many =
      judged_on(claim_of_arms(Expectation::equal, 0.001), without_effect()).power;
  EXPECT_THAT(many, HasSubstr("more than 1000 seeds"));
}

TEST(ClaimVerdicts, EachStoreHasItsOwn) {
  const ClaimSet set{{claim_of_arms(Expectation::higher)}, {}};
  const store::Records with = small_records(), without = without_effect();
  const Analysis first = analyse(with), second = analyse(without);
  const std::vector<ClaimStore> stores = {{"a", &first}, {"b", &second}};
  const auto judged = judge_claims(set, stores, "experiments");
  ASSERT_EQ(judged.size(), 2);
  EXPECT_EQ(judged[0].verdict, reproduced);
  EXPECT_EQ(judged[1].verdict, not_resolved);
  EXPECT_EQ(judged[1].folder, "b");
}

TEST(ClaimVerdicts, AMetricThatMayNotBeComparedIsRefused) {
  Claim claim = claim_of_arms(Expectation::higher);
  claim.metric = "held_out.loss";
  try {
    judged_on(claim, small_records());
    FAIL() << "was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("claim 'of-arms': held_out.loss may not be compared"));
  }
}

}  // namespace
}  // namespace ablate::reports
