// What arms cost, and how they rank when a budget is held equal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/budgets/rankings.h"
#include "reports/figures/budget_slopes.h"
#include "reports/formats/json/json_costs.h"
#include "reports/paper/figures/pgfplots.h"
#include "reports/tables/budgets/budget_tables.h"
#include "tests/reports/budget_sweeps.h"
#include "tests/reports/found.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const BudgetRanking& ranking_by(const BudgetRankings& rankings, std::string_view mode) {
  for (const BudgetRanking& ranking : rankings.rankings)
    if (ranking.mode->name == mode) return ranking;
  throw std::runtime_error("no such mode");
}

TEST(BudgetRankings, AreAtTheLargestBudgetThatAllReach) {
  const store::Records records = flipping();
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  ASSERT_EQ(rankings.contestants.size(), 2u);
  EXPECT_EQ(rankings.contestants[0].name, "cheap");
  const BudgetRanking& tokens = ranking_by(rankings, "tokens of text");
  const BudgetRanking& flops = ranking_by(rankings, "FLOPs");
  EXPECT_DOUBLE_EQ(tokens.budget, 8e5);
  EXPECT_DOUBLE_EQ(flops.budget, 8e11);  // where "cheap" ends
  EXPECT_THAT(tokens.by_rank, ElementsAre(1, 0));
  EXPECT_THAT(flops.by_rank, ElementsAre(0, 1));
  EXPECT_EQ(tokens.values[0].n, 6);
}

TEST(BudgetRankings, TakeTheMetricAsLinearInTheLogarithmOfTheCost) {
  // "dear" has 8e11 FLOPs at 2e5 tokens, a budget of its own; with 3e6 FLOPs a token it is between.
  const store::Records records =
      sweep_of({{"cheap", .9, .1, 1e6}, {"dear", .85, .1, 3e6}}, /*noise=*/0);
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  const double doublings = std::log2(8e5 / 3 / 1e5);
  EXPECT_NEAR(*ranking_by(rankings, "FLOPs").values[1].mean, .85 - .1 * doublings + .035, 1e-12);
  EXPECT_NEAR(*ranking_by(rankings, "FLOPs").values[0].mean, .9 - .3 + .035, 1e-12);
}

TEST(BudgetRankings, DoNotDependOnTheUnitOfACost) {
  store::Records records = flipping();
  const Analysis before = analyse(records);
  const Json first = budgets_json(before);
  for (store::TrialRecord& trial : records.trials)
    trial.ledger["flops"] = 1024 * trial.ledger["flops"].get<double>();
  const Analysis after = analyse(records);
  const Json second = budgets_json(after);
  for (std::size_t i = 0; i < first["rankings"].size(); ++i)
    EXPECT_EQ(first["rankings"][i]["ranks"], second["rankings"][i]["ranks"]);
  EXPECT_EQ(first["flips"], second["flips"]);
}

TEST(BudgetRankings, FlipWhereTheOrderDependsOnWhatIsHeldEqual) {
  const store::Records records = flipping();
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  const std::vector<BudgetFlip> flips = flips_of(rankings);
  ASSERT_EQ(flips.size(), 1u);
  EXPECT_TRUE(flips[0].resolved);
  EXPECT_LT(*flips[0].at_first.mean, 0);  // ahead: a lower excess
  EXPECT_GT(*flips[0].at_second.mean, 0);
  EXPECT_THAT(text_of(flip_statements(analysis)),
              HasSubstr("In held_out.excess, the order of dear and cheap depends on what is held "
                        "equal: at 800 k "));
  EXPECT_THAT(text_of(flip_statements(analysis)),
              HasSubstr("at 800 GFLOPs cheap is ahead by 0.1478 ± 0.0015."));
  EXPECT_THAT(answer_of(analysis), testing::EndsWith(text_of(flip_statements(analysis))));
}

TEST(BudgetRankings, ClaimNoFlipThatMayBeChance) {
  store::Records records = sweep_of({{"cheap", .9, .1, 1e6}, {"dear", .899, .1, 1.1e6}}, .2);
  const Analysis analysis = analyse(records);
  for (const BudgetFlip& flip : flips_of(budget_rankings(analysis))) EXPECT_FALSE(flip.resolved);
  EXPECT_TRUE(flip_statements(analysis).empty());
}

TEST(BudgetRankings, NeedABudgetThatAllReach) {
  // Single arms with the same tokens and unlike FLOPs have no budget of FLOPs in common.
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.ledger = {{"text_tokens", 1e6},
                    {"targets", 1e6},
                    {"flops", trial.arm == "mlm" ? 2e12 : 1e12},
                    {"seconds", trial.arm == "mlm" ? 20 : 10}};
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  EXPECT_TRUE(ranking_by(rankings, "tokens of text").possible);
  EXPECT_FALSE(ranking_by(rankings, "FLOPs").possible);
  EXPECT_FALSE(ranking_by(rankings, "time").possible);
  const std::vector<Table> tables = budget_tables(analysis);
  ASSERT_EQ(tables.size(), 2u);  // tokens and targets are equal
  EXPECT_THAT(tables[1].notes.back(), HasSubstr("Ranks at equal FLOPs, time are not known"));
}

TEST(BudgetRankings, AreNoneWhereArmsSpentAlike) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.ledger = {{"text_tokens", 1e6}, {"targets", 1e6}, {"flops", 1e12}, {"seconds", 9}};
  const Analysis analysis = analyse(records);
  EXPECT_THAT(budget_rankings(analysis).contestants, IsEmpty());
  EXPECT_THAT(budget_tables(analysis), IsEmpty());
  EXPECT_THAT(budget_slopes(analysis).plots, IsEmpty());
}

TEST(BudgetRankings, DoNotInterpolateBetweenArmsThatDifferInSomethingElse) {
  store::Records records = flipping();
  for (Json& arm : records.plan["arms"]) {
    const Json tokens = arm["config"]["train"]["budget"]["tokens"];
    arm["config"]["train"] = {{"learning_rate", tokens}};
  }
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  EXPECT_EQ(rankings.contestants.size(), 8u);
  EXPECT_THAT(rankings.possible(), IsEmpty());
}

TEST(BudgetRankings, LeaveOutSeedsThatAreNotComplete) {
  store::Records records = flipping();
  trial_of(records, "dear[tokens=200000]", 3).outcome = "failed";
  const Analysis analysis = analyse(records);
  const BudgetRankings rankings = budget_rankings(analysis);
  for (const BudgetRanking* ranking : rankings.possible())
    for (const Estimate& value : ranking->values) EXPECT_EQ(value.n, 5);
}

TEST(ArmCosts, NameWhatDominates) {
  store::Records records = small_records();  // clm is better
  const auto costs_with = [&](double clm, double mlm) {
    for (store::TrialRecord& trial : records.trials)
      trial.ledger = {{"text_tokens", 1e6},
                      {"targets", 1e6},
                      {"flops", trial.arm == "clm" ? clm : mlm},
                      {"seconds", trial.arm == "clm" ? 99 : 1}};
    const Analysis analysis = analyse(records);
    std::vector<std::size_t> dominated;
    for (const ArmCost& cost : costs_of(analysis)) dominated.push_back(cost.dominated_by.size());
    return dominated;
  };
  EXPECT_THAT(costs_with(1e12, 2e12), ElementsAre(0, 1));
  EXPECT_THAT(costs_with(1e12, 1e12), ElementsAre(0, 1));
  EXPECT_THAT(costs_with(2e12, 1e12), ElementsAre(0, 0));  // better, and dearer
  for (store::TrialRecord& trial : records.trials) trial.ledger.erase("flops");
  const Analysis analysis = analyse(records);
  for (const ArmCost& cost : costs_of(analysis)) EXPECT_THAT(cost.dominated_by, IsEmpty());
}

TEST(BudgetSlopes, JoinTheRanksOfAnArm) {
  const store::Records records = flipping();
  const Analysis analysis = analyse(records);
  const Figure figure = budget_slopes(analysis);
  ASSERT_EQ(figure.plots.size(), 1u);
  const Plot& plot = figure.plots[0];
  EXPECT_THAT(plot.description, HasSubstr("At 800 k tokens: dear, cheap. "));
  EXPECT_THAT(plot.description, HasSubstr("At 800 GFLOPs: cheap, dear. "));
  const std::vector<double> cheap = {2, 2, 1};  // by tokens, targets, FLOPs
  EXPECT_THAT(plot.lines, testing::Contains(testing::Field(&PlotLine::y, cheap)));
  EXPECT_THAT(pgfplots(plot, {}), HasSubstr("(1,2)(2,2)(3,1)"));
  EXPECT_THAT(plot.paper.csv, HasSubstr("\nFLOPs,8e+11,FLOPs,cheap,1,held_out.excess,"));
}

}  // namespace
}  // namespace ablate::reports
