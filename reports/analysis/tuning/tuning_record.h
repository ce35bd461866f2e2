// What tuning has found, as the plan of the result keeps it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A learning rate that an arm has tried.
struct RateTried {
  double rate = 0;
  Estimate values;  // of the criterion, by tuning seed; none where the trial diverged
};

/// What one arm has tried, and what was chosen.
struct ArmTuning {
  std::string name;
  std::string label;
  std::string anchor;  // where a page lists what it has tried
  double rate = 0;     // chosen
  std::string edge;    // "low" or "high": the best lies at this end of the rates; else empty
  std::int64_t trials = 0;
  std::int64_t diverged = 0;
  double flops = 0;              // of the tuning trials
  double initial_loss = 0;       // nats per target, at the beginning of training; infinite: none
  std::vector<RateTried> tried;  // ascending

  /// The mean of every rate. A rate at which a trial diverged counts as the loss at the beginning;
  /// none is that bad in a metric that is better when higher.
  std::vector<double> means(Better better) const;
};

/// What all arms have tried.
struct TuningRecord {
  MetricRow criterion;
  std::vector<double> rates;  // ascending
  std::int64_t seeds = 0;
  std::int64_t extensions = 0;
  double common = 0;  // the baseline's rate
  std::vector<ArmTuning> arms;
};

/// What the plan of an analysis keeps of it. Requires: analysis.plan.tuned.
TuningRecord tuning_record(const Analysis& analysis);

/// How much an arm loses by a rate that is not its best, by tuning seed: the mean over all rates
/// tried of min(loss, loss at the beginning of training), minus the smallest of them. Empty where the
/// criterion is not a loss.
/// Source: Wortsman et al. 2023, arXiv:2309.14322, section 2. Differs: over the rates tried, not over
/// three orders of magnitude.
std::optional<Estimate> rate_sensitivity(const TuningRecord& record, const ArmTuning& arm);

/// What the best of n rates drawn from those tried is expected to have, for n = 1 to their number:
/// minima, or maxima of a metric that is better when higher.
std::vector<double> expected_best_of(const TuningRecord& record, const ArmTuning& arm);

/// The arms whose primary difference from the baseline has another sign at the common rate than at
/// their own rates: which arm is ahead depends on tuning. As labels, in the plan's order.
std::vector<std::string> depend_on_tuning(const Analysis& own, const Analysis& common);

/// The primary comparisons whose verdict at the arms' own rates is another than at the common rate:
/// "mlm: worse at its own rate, better at the common one". In the plan's order.
std::vector<std::string> changed_verdicts(const Analysis& own, const Analysis& common);

}  // namespace ablate::reports
