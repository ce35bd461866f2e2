// The ranking of arms at an equal budget, by each way of counting one: tokens, targets, FLOPs, time.
//
// A ranking at an equal budget needs values of every arm at that budget. An experiment measures its
// primary metric at the end of training alone, so an arm has one budget, and several only where it
// sweeps over `train.budget`: then its metric is taken as linear between the budgets swept, in their
// logarithm, seed by seed. A point halfway along a training curve would not do: the learning rate
// has not decayed there as it has at the end of a run of half the length.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/budgets/costs.h"

namespace ablate::reports {

/// What is ranked: an arm, or the arms of an entry that sweep over the budget.
struct Contestant {
  std::string name;
  std::vector<const ArmResult*> arms;  // by budget, ascending
};

/// The values of the contestants at one budget.
struct BudgetRanking {
  const BudgetMode* mode = nullptr;
  double budget = 0;                 // the largest that all of them reach, in every seed
  std::vector<Estimate> values;      // by contestant, over the seeds complete in all of them
  std::vector<std::size_t> by_rank;  // indices of contestants, the best first
  bool possible = false;             // whether a budget is reached by all; otherwise all is empty
};

/// A pair whose order depends on what is held equal.
struct BudgetFlip {
  const BudgetRanking* first = nullptr;   // the ranking in which `ahead` is ahead
  const BudgetRanking* second = nullptr;  // the one in which it is behind
  std::size_t ahead = 0, behind = 0;      // indices of contestants, as in `first`
  Estimate at_first, at_second;           // ahead - behind, paired by seed
  bool resolved = false;  // both 95 % t-intervals exclude 0; otherwise it may be chance
};

/// The contestants and how they rank in the primary metric by each mode.
struct BudgetRankings {
  const MetricRow* metric = nullptr;
  std::vector<Contestant> contestants;  // in the plan's order; empty below two
  std::vector<BudgetRanking> rankings;  // one for each mode

  /// The rankings that are possible.
  std::vector<const BudgetRanking*> possible() const;
};

/// Ranks the arms that costs_of() lists. Without contestants where they spent alike by every count:
/// then every budget that is equal is the same one. The result points into the analysis.
BudgetRankings budget_rankings(const Analysis& analysis);

/// The flips between every two possible rankings: each pair once, in the two rankings with the
/// clearest evidence, resolved ones first. The result points into `rankings`.
std::vector<BudgetFlip> flips_of(const BudgetRankings& rankings);

}  // namespace ablate::reports
