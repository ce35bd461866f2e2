#include "reports/analysis/budgets/costs.h"

#include <algorithm>
#include <array>

#include "harness/statistics/one_sample/rounding.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

constexpr std::array kModes = {BudgetMode{"tokens of text", "text_tokens", "tokens"},
                               BudgetMode{"targets", "targets", "targets"},
                               BudgetMode{"FLOPs", "flops", "FLOPs"},
                               BudgetMode{"time", "seconds", "s", false}};

bool was_measured(const ArmResult& arm, const std::string& metric) {
  const auto found = arm.metrics.find(metric);
  return found != arm.metrics.end() && found->second.n > 0;
}

ArmCost cost_of(const ArmResult& arm) {
  ArmCost cost{.arm = &arm, .by_mode = {}};
  for (const BudgetMode& mode : kModes) {
    std::vector<double> spent;
    for (const store::TrialRecord* trial : arm.trials)
      if (const auto value = spent_by(*trial, mode)) spent.push_back(*value);
    if (!spent.empty()) cost.by_mode[mode.name] = statistics::mean(spent);
  }
  return cost;
}

/// Whether `a` spent no more than `b` by any count; not where a count of one is unknown.
bool no_dearer(const ArmCost& a, const ArmCost& b) {
  return std::all_of(kModes.begin(), kModes.end(), [&](const BudgetMode& mode) {
    if (!mode.counted) return true;
    const auto ours = a.by_mode.find(mode.name), theirs = b.by_mode.find(mode.name);
    return ours != a.by_mode.end() && theirs != b.by_mode.end() &&
           ours->second <= (1 + kAlikeCosts) * theirs->second;
  });
}

bool is_better(const ArmResult& arm, const ArmResult& other, const MetricRow& metric) {
  if (arm.diverged != other.diverged) return false;
  const auto interval = paired_difference(arm, other, metric.name).interval;
  return interval && (metric.better == Better::lower ? interval->high < 0 : interval->low > 0);
}

}  // namespace

std::span<const BudgetMode> budget_modes() { return kModes; }

std::optional<double> spent_by(const store::TrialRecord& trial, const BudgetMode& mode) {
  if (trial.outcome != "completed" || !trial.ledger.is_object()) return std::nullopt;
  const auto found = trial.ledger.find(std::string(mode.key));
  if (found == trial.ledger.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::vector<ArmCost> arms_with_costs(const Analysis& analysis) {
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const ArmResult* const baseline = analysis.baseline();
  std::vector<ArmCost> costs;
  if (metric == nullptr || metric->better == Better::neither || baseline == nullptr) return costs;
  for (const ArmResult& arm : analysis.arms)
    if (was_measured(arm, metric->name) &&
        comparable_arms(metric->comparable_across, arm, *baseline))
      costs.push_back(cost_of(arm));
  return costs;
}

std::vector<ArmCost> costs_of(const Analysis& analysis) {
  std::vector<ArmCost> costs = arms_with_costs(analysis);
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const auto ahead = [&](const ArmResult* a, const ArmResult* b) {
    const double lead = statistics::difference(*a->metrics.at(metric->name).mean,
                                               *b->metrics.at(metric->name).mean);
    return metric->better == Better::lower ? lead < 0 : lead > 0;
  };
  for (ArmCost& cost : costs) {
    for (const ArmCost& other : costs)
      if (ahead(other.arm, cost.arm) && no_dearer(other, cost) &&
          is_better(*other.arm, *cost.arm, *metric))
        cost.dominated_by.push_back(other.arm);
    std::stable_sort(cost.dominated_by.begin(), cost.dominated_by.end(), ahead);
  }
  return costs;
}

bool unequal(const std::vector<ArmCost>& costs, const BudgetMode& mode) {
  std::vector<double> spent;
  for (const ArmCost& cost : costs)
    if (const auto found = cost.by_mode.find(mode.name); found != cost.by_mode.end())
      spent.push_back(found->second);
  if (spent.empty()) return false;
  const auto [minimum, maximum] = std::minmax_element(spent.begin(), spent.end());
  return *maximum > (1 + kAlikeCosts) * *minimum;
}

}  // namespace ablate::reports
