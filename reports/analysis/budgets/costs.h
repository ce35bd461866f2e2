// What each arm reached in the primary metric, and what that cost by every count.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A way of counting what training spends.
struct BudgetMode {
  std::string_view name;  // "targets"
  std::string_view key;   // in a ledger
  std::string_view unit;  // written after an amount: "4.3 G" + "FLOPs"
  bool counted = true;    // otherwise measured by a clock: it depends on the machine and its load
};

/// Tokens of text, targets, FLOPs and time, in this order.
std::span<const BudgetMode> budget_modes();

/// Counts that differ by less than this fraction are alike.
inline constexpr double kAlikeCosts = 0.01;

/// What a trial spent by a mode; empty where it did not complete or its ledger does not say.
std::optional<double> spent_by(const store::TrialRecord& trial, const BudgetMode& mode);

/// An arm with the mean costs of its completed trials.
struct ArmCost {
  const ArmResult* arm = nullptr;
  std::map<std::string_view, double> by_mode;       // by the mode's name; without what is not known
  std::vector<const ArmResult*> dominated_by = {};  // the best of them first
};

/// The arms that may be compared with the baseline in the primary metric and have values of it, in
/// the plan's order, without those that dominate them. Empty without a baseline or a primary metric
/// with a better direction. The result points into the analysis.
std::vector<ArmCost> arms_with_costs(const Analysis& analysis);

/// The same with the arms that dominate each: a test for every pair.
///
/// An arm is dominated by another that is better (the 95 % t-interval of the difference, paired by
/// seed, excludes 0) and cost no more by any measure: whatever budget is held equal, nothing speaks
/// for it. Time is no count.
std::vector<ArmCost> costs_of(const Analysis& analysis);

/// Whether two arms differ in what they spent by a mode.
bool unequal(const std::vector<ArmCost>& costs, const BudgetMode& mode);

}  // namespace ablate::reports
