#include "reports/analysis/comparisons/item_differences.h"

#include <algorithm>

#include "harness/base/rng.h"
#include "harness/statistics/items/mcnemar.h"
#include "harness/statistics/one_sample/rounding.h"

namespace ablate::reports {
namespace {

constexpr std::uint64_t kItemsKey = 0x17E35u;

using Items = std::vector<double>;

/// The values of a metric by test item in both arms, of one seed.
struct SeedItems {
  const Items* arm = nullptr;
  const Items* baseline = nullptr;
};

const Items* items_of(const store::TrialRecord& trial, const std::string& metric) {
  if (trial.outcome != "completed") return nullptr;
  const auto found = trial.items.find(metric);
  return found == trial.items.end() || found->second.empty() ? nullptr : &found->second;
}

/// What tells which items a metric of the trial is of; empty where all arms have the same.
std::string set_of(const store::TrialRecord& trial, const std::string& metric) {
  const auto found = trial.item_sets.find(metric);
  return found == trial.item_sets.end() ? "" : found->second;
}

/// The seeds in which both arms have values for the same items.
std::vector<SeedItems> shared_items(const ArmResult& arm, const ArmResult& baseline,
                                    const std::string& metric) {
  std::vector<SeedItems> seeds;
  for (const store::TrialRecord* trial : arm.trials) {
    const Items* const ours = items_of(*trial, metric);
    if (ours == nullptr) continue;
    for (const store::TrialRecord* other : baseline.trials) {
      if (other->seed != trial->seed || set_of(*trial, metric) != set_of(*other, metric)) continue;
      const Items* const theirs = items_of(*other, metric);
      if (theirs != nullptr && ours->size() == theirs->size()) seeds.push_back({ours, theirs});
    }
  }
  return seeds;
}

bool right_or_wrong(const Items& items) {
  return std::all_of(items.begin(), items.end(),
                     [](double each) { return each == 0 || each == 1; });
}

std::optional<std::int64_t> count_differing(const std::vector<SeedItems>& seeds, double alpha) {
  std::int64_t differing = 0;
  for (const SeedItems& seed : seeds) {
    if (!right_or_wrong(*seed.arm) || !right_or_wrong(*seed.baseline)) return std::nullopt;
    std::int64_t only_arm = 0, only_baseline = 0;
    for (std::size_t i = 0; i < seed.arm->size(); ++i) {
      only_arm += (*seed.arm)[i] > (*seed.baseline)[i];
      only_baseline += (*seed.arm)[i] < (*seed.baseline)[i];
    }
    differing += statistics::mcnemar_p(only_arm, only_baseline) < alpha;
  }
  return differing;
}

ItemDifference item_difference(const Difference& difference, const std::vector<SeedItems>& seeds,
                               double alpha) {
  ItemDifference result{.difference = &difference,
                        .seeds = static_cast<std::int64_t>(seeds.size()),
                        .items = static_cast<std::int64_t>(seeds.front().arm->size())};
  std::vector<Items> apart;
  for (const SeedItems& seed : seeds) {
    result.items = std::min(result.items, static_cast<std::int64_t>(seed.arm->size()));
    apart.push_back(statistics::differences(*seed.arm, *seed.baseline));
  }
  const Rng rng = Rng(kItemsKey).fork(difference.metric).fork(difference.arm);
  result.both = statistics::hierarchical_bootstrap(apart, rng);
  result.models_differ = count_differing(seeds, alpha);
  return result;
}

}  // namespace

std::vector<ItemDifference> item_differences(const Analysis& analysis) {
  std::vector<ItemDifference> all;
  for (const Difference& difference : analysis.differences) {
    if (difference.over_seeds.n < 2) continue;
    const std::vector<SeedItems> seeds =
        shared_items(analysis.arm(difference.arm), *analysis.baseline(), difference.metric);
    if (seeds.size() >= 2) all.push_back(item_difference(difference, seeds, analysis.alpha));
  }
  return all;
}

}  // namespace ablate::reports
