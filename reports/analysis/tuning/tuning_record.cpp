#include "reports/analysis/tuning/tuning_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "harness/statistics/one_sample/summary.h"
#include "harness/statistics/sweeps/expected_best.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

bool diverged_at(const RateTried& tried) {
  return tried.values.n < static_cast<std::int64_t>(tried.values.values.size());
}

/// An arm without an initial loss scored nothing in a step of a trial: no loss is above infinity.
ArmTuning arm_tuning(const store::StoredArmTuning& stored, const Analysis& analysis) {
  ArmTuning arm{
      .name = stored.arm,
      .label = analysis.label(stored.arm),
      .rate = stored.rate,
      .edge = stored.edge,
      .trials = stored.trials,
      .diverged = stored.diverged,
      .flops = stored.flops,
      .initial_loss = stored.initial_loss.value_or(std::numeric_limits<double>::infinity())};
  for (const store::StoredRate& tried : stored.tried)
    arm.tried.push_back({tried.rate, estimate(tried.values)});
  return arm;
}

bool is_loss(const MetricRow& criterion) { return criterion.better == Better::lower; }

/// The losses of an arm with the tuning seed at `seed`, one for every rate.
std::vector<double> losses_of_seed(const ArmTuning& arm, std::size_t seed) {
  std::vector<double> losses;
  for (const RateTried& tried : arm.tried)
    losses.push_back(
        std::min(tried.values.values[seed].value_or(arm.initial_loss), arm.initial_loss));
  return losses;
}

}  // namespace

std::vector<double> ArmTuning::means(Better better) const {
  std::vector<double> all;
  for (const RateTried& each : tried)
    if (!diverged_at(each))
      all.push_back(*each.values.mean);
    else if (better == Better::lower)
      all.push_back(initial_loss);
  return all;
}

TuningRecord tuning_record(const Analysis& analysis) {
  const store::StoredTuning& stored = *analysis.plan.tuned;
  const store::StoredMetric& criterion = stored.criterion;
  TuningRecord record{
      .criterion = {criterion.name, criterion.label, criterion.unit,
                    criterion.better == Better::higher ? Better::higher : Better::lower,
                    criterion.comparable_across, criterion.description},
      .rates = stored.rates,
      .seeds = stored.seeds,
      .extensions = stored.extensions,
      .common = stored.common};
  for (const store::StoredArmTuning& arm : stored.arms) {
    record.arms.push_back(arm_tuning(arm, analysis));
    record.arms.back().anchor = fmt::format("tuning-{}", record.arms.size());
  }
  return record;
}

std::optional<Estimate> rate_sensitivity(const TuningRecord& record, const ArmTuning& arm) {
  if (!is_loss(record.criterion)) return std::nullopt;
  std::vector<std::optional<double>> by_seed;
  for (std::size_t seed = 0; seed < static_cast<std::size_t>(record.seeds); ++seed) {
    const std::vector<double> losses = losses_of_seed(arm, seed);
    by_seed.emplace_back(statistics::mean(losses) -
                         *std::min_element(losses.begin(), losses.end()));
  }
  return estimate(std::move(by_seed));
}

std::vector<double> expected_best_of(const TuningRecord& record, const ArmTuning& arm) {
  std::vector<double> values = arm.means(record.criterion.better);
  const double sign = record.criterion.better == Better::higher ? -1 : 1;
  for (double& value : values) value *= sign;
  std::vector<double> best = statistics::expected_best(values);
  for (double& value : best) value *= sign;
  return best;
}

std::vector<std::string> depend_on_tuning(const Analysis& own, const Analysis& common) {
  std::vector<std::string> arms;
  for (const ArmResult& arm : own.arms) {
    const Difference* at_own = own.difference(arm.name, own.primary);
    const Difference* at_common = common.difference(arm.name, common.primary);
    if (at_own == nullptr || at_common == nullptr || !at_own->over_seeds.mean ||
        !at_common->over_seeds.mean)
      continue;
    if (*at_own->over_seeds.mean * *at_common->over_seeds.mean < 0) arms.push_back(arm.label);
  }
  return arms;
}

std::vector<std::string> changed_verdicts(const Analysis& own, const Analysis& common) {
  std::vector<std::string> changes;
  for (const ArmResult& arm : own.arms) {
    const Difference* at_own = own.difference(arm.name, own.primary);
    const Difference* at_common = common.difference(arm.name, common.primary);
    if (at_own == nullptr || at_common == nullptr || at_own->verdict == at_common->verdict)
      continue;
    changes.push_back(fmt::format("{}: {} at its own rate, {} at the common one", arm.label,
                                  verdict_text(own, *at_own), verdict_text(common, *at_common)));
  }
  return changes;
}

}  // namespace ablate::reports
