#include "reports/analysis/budgets/rankings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "harness/statistics/one_sample/rounding.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/sweeps/sweeps.h"

namespace ablate::reports {
namespace {

constexpr std::string_view kBudget = "train.budget.";

/// A trial's value by the logarithm of its cost.
struct CostPoint {
  double cost = 0;
  double value = 0;
};

/// The points of each seed, by cost, ascending.
using SeedCurves = std::map<std::int64_t, std::vector<CostPoint>>;

std::vector<Contestant> contestants_of(const Analysis& analysis,
                                       const std::vector<ArmCost>& costs) {
  std::set<const ArmResult*> open;
  for (const ArmCost& cost : costs) open.insert(cost.arm);
  std::map<const ArmResult*, Contestant> by_first;
  for (const NumberSweep& sweep : number_sweeps(analysis)) {
    if (!sweep.parameter.starts_with(kBudget)) continue;
    for (const SweptFamily& family : sweep.families) {
      Contestant made{family.name, {}};
      for (const SweptArm& swept : family.arms)
        if (open.contains(swept.arm)) made.arms.push_back(swept.arm);
      if (made.arms.empty()) continue;
      for (const ArmResult* arm : made.arms) open.erase(arm);
      const ArmResult* const first = *std::min_element(made.arms.begin(), made.arms.end());
      by_first.emplace(first, std::move(made));
    }
  }
  for (const ArmResult* arm : open) by_first.emplace(arm, Contestant{arm->label, {arm}});
  std::vector<Contestant> contestants;
  for (const ArmResult& arm : analysis.arms)
    if (const auto found = by_first.find(&arm); found != by_first.end())
      contestants.push_back(std::move(found->second));
  if (contestants.size() < 2) contestants.clear();
  return contestants;
}

/// The seeds that have a value in all arms of the contestant, and costs that differ between them.
SeedCurves curves_of(const Contestant& contestant, const std::string& metric,
                     const BudgetMode& mode) {
  SeedCurves curves;
  for (const ArmResult* arm : contestant.arms)
    for (std::size_t i = 0; i < arm->trials.size(); ++i) {
      const auto cost = spent_by(*arm->trials[i], mode);
      const auto value = arm->metrics.at(metric).values[i];
      if (cost && value) curves[arm->trials[i]->seed].push_back({*cost, *value});
    }
  for (auto& [seed, points] : curves)
    std::sort(points.begin(), points.end(),
              [](const CostPoint& a, const CostPoint& b) { return a.cost < b.cost; });
  const auto alike = [](const CostPoint& a, const CostPoint& b) { return a.cost == b.cost; };
  std::erase_if(curves, [&](const auto& seed) {
    const std::vector<CostPoint>& points = seed.second;
    return points.size() != contestant.arms.size() ||
           std::adjacent_find(points.begin(), points.end(), alike) != points.end();
  });
  return curves;
}

/// Keeps the seeds that all have.
void keep_shared(std::vector<SeedCurves>& all) {
  std::map<std::int64_t, std::size_t> holders;  // of each seed
  for (const SeedCurves& curves : all)
    for (const auto& [seed, points] : curves) ++holders[seed];
  for (SeedCurves& curves : all)
    std::erase_if(curves, [&](const auto& seed) { return holders.at(seed.first) < all.size(); });
}

/// The value at a budget, which may lie a little beyond the points.
double value_at(const std::vector<CostPoint>& points, double budget) {
  if (budget <= points.front().cost) return points.front().value;
  if (budget >= points.back().cost) return points.back().value;
  const auto right =
      std::upper_bound(points.begin(), points.end(), budget,
                       [](double cost, const CostPoint& point) { return cost < point.cost; });
  const auto left = right - 1;
  const double share = std::log(budget / left->cost) / std::log(right->cost / left->cost);
  return (1 - share) * left->value + share * right->value;
}

struct CostRange {
  double start = 0;                                     // what the dearest start costs
  double reached = std::numeric_limits<double>::max();  // what the cheapest end costs
};

CostRange range_of(const std::vector<SeedCurves>& all) {
  CostRange range;
  for (const SeedCurves& curves : all)
    for (const auto& [seed, points] : curves) {
      range.start = std::max(range.start, points.front().cost);
      range.reached = std::min(range.reached, points.back().cost);
    }
  return range;
}

Estimate estimate_at(const SeedCurves& curves, double budget) {
  std::vector<std::optional<double>> values;
  for (const auto& [seed, points] : curves) values.emplace_back(value_at(points, budget));
  return estimate(std::move(values));
}

BudgetRanking ranking_of(const std::vector<Contestant>& contestants, const MetricRow& metric,
                         const BudgetMode& mode) {
  BudgetRanking ranking{.mode = &mode};
  std::vector<SeedCurves> all;
  all.reserve(contestants.size());
  for (const Contestant& contestant : contestants)
    all.push_back(curves_of(contestant, metric.name, mode));
  keep_shared(all);
  const CostRange range = range_of(all);
  const bool any = !all.empty() && !all.front().empty();
  if (!any || range.reached < (1 - kAlikeCosts) * range.start) return ranking;
  ranking.possible = true;
  ranking.budget = range.reached;
  for (const SeedCurves& curves : all) ranking.values.push_back(estimate_at(curves, range.reached));
  ranking.by_rank.resize(contestants.size());
  std::iota(ranking.by_rank.begin(), ranking.by_rank.end(), 0);
  std::stable_sort(ranking.by_rank.begin(), ranking.by_rank.end(),
                   [&](std::size_t a, std::size_t b) {
                     const double ahead =
                         statistics::difference(*ranking.values[a].mean, *ranking.values[b].mean);
                     return metric.better == Better::lower ? ahead < 0 : ahead > 0;
                   });
  return ranking;
}

/// a - b in a ranking, paired by seed.
Estimate lead(const BudgetRanking& ranking, std::size_t a, std::size_t b) {
  std::vector<std::optional<double>> values;
  for (std::size_t seed = 0; seed < ranking.values[a].values.size(); ++seed)
    values.emplace_back(
        statistics::difference(*ranking.values[a].values[seed], *ranking.values[b].values[seed]));
  return estimate(std::move(values));
}

bool excludes_zero(const Estimate& estimate) {
  return estimate.interval && (estimate.interval->low > 0 || estimate.interval->high < 0);
}

/// The mean in half-widths of its interval, a measure of how clear it is.
double clarity(const Estimate& estimate) {
  if (!estimate.interval) return 0;
  const double half_width = (estimate.interval->high - estimate.interval->low) / 2;
  return half_width > 0 ? std::abs(*estimate.mean) / half_width
                        : std::numeric_limits<double>::max();
}

double clarity(const BudgetFlip& flip) {
  return std::min(clarity(flip.at_first), clarity(flip.at_second));
}

/// The flip of two contestants between two rankings, if it is one: turned so that `ahead` is ahead
/// in the first.
std::optional<BudgetFlip> flip_of(Better better, const BudgetRanking& first,
                                  const BudgetRanking& second, std::size_t a, std::size_t b) {
  const auto apart = [&](const BudgetRanking& ranking) {
    return statistics::difference(*ranking.values[a].mean, *ranking.values[b].mean);
  };
  if (apart(first) * apart(second) >= 0) return std::nullopt;
  if ((apart(first) > 0) == (better == Better::lower)) std::swap(a, b);
  BudgetFlip flip{&first, &second, a, b, lead(first, a, b), lead(second, a, b)};
  flip.resolved = excludes_zero(flip.at_first) && excludes_zero(flip.at_second);
  return flip;
}

}  // namespace

std::vector<const BudgetRanking*> BudgetRankings::possible() const {
  std::vector<const BudgetRanking*> result;
  for (const BudgetRanking& ranking : rankings)
    if (ranking.possible) result.push_back(&ranking);
  return result;
}

BudgetRankings budget_rankings(const Analysis& analysis) {
  BudgetRankings result{analysis.metric(analysis.primary), {}, {}};
  const std::vector<ArmCost> costs = arms_with_costs(analysis);
  const auto modes = budget_modes();
  const bool differ = std::any_of(modes.begin(), modes.end(), [&](const BudgetMode& mode) {
    return mode.counted && unequal(costs, mode);
  });
  if (!differ) return result;
  result.contestants = contestants_of(analysis, costs);
  if (result.contestants.empty()) return result;
  for (const BudgetMode& mode : budget_modes())
    result.rankings.push_back(ranking_of(result.contestants, *result.metric, mode));
  for (std::size_t i = 0; i < result.rankings.size(); ++i)
    for (std::size_t k = 0; k < result.rankings[i].values.size(); ++k)
      result.rankings[i].values[k].anchor = fmt::format("budget-{}-{}", i + 1, k + 1);
  return result;
}

std::vector<BudgetFlip> flips_of(const BudgetRankings& rankings) {
  const std::vector<const BudgetRanking*> possible = rankings.possible();
  std::vector<BudgetFlip> flips;
  for (std::size_t a = 0; a < rankings.contestants.size(); ++a)
    for (std::size_t b = a + 1; b < rankings.contestants.size(); ++b) {
      std::optional<BudgetFlip> clearest;
      for (std::size_t i = 0; i < possible.size(); ++i)
        for (std::size_t j = i + 1; j < possible.size(); ++j) {
          auto flip = flip_of(rankings.metric->better, *possible[i], *possible[j], a, b);
          if (flip && (!clearest || clarity(*flip) > clarity(*clearest)))
            clearest = std::move(flip);
        }
      if (clearest) flips.push_back(std::move(*clearest));
    }
  std::stable_partition(flips.begin(), flips.end(),
                        [](const BudgetFlip& flip) { return flip.resolved; });
  return flips;
}

}  // namespace ablate::reports
