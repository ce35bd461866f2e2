#include "reports/analysis/comparisons/sensitivity.h"

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/bootstrap.h"
#include "harness/statistics/one_sample/t_test.h"
#include "harness/statistics/paired/effect_size.h"
#include "harness/statistics/paired/wilcoxon.h"

namespace ablate::reports {
namespace {

constexpr std::uint64_t kBootstrapKey = 0xB007u;

/// The values of an arm and of its baseline, of the seeds that both have.
struct PairedValues {
  std::vector<double> arm, baseline, differences;
};

PairedValues paired_values(const Analysis& analysis, const Difference& difference) {
  PairedValues pairs;
  const Estimate& seen = analysis.arm(difference.arm).metrics.at(difference.metric);
  for (std::size_t seed = 0; seed < seen.values.size(); ++seed) {
    const std::optional<double>& apart = difference.over_seeds.values[seed];
    if (!apart) continue;
    pairs.arm.push_back(*seen.values[seed]);
    pairs.baseline.push_back(*seen.values[seed] - *apart);
    pairs.differences.push_back(*apart);
  }
  return pairs;
}

std::optional<double> probability_better(Better better, const std::vector<double>& differences) {
  if (better == Better::neither) return std::nullopt;
  const double above = statistics::probability_above_zero(differences);
  return better == Better::higher ? above : 1 - above;
}

Sensitivity sensitivity(const Analysis& analysis, const Difference& difference) {
  const PairedValues pairs = paired_values(analysis, difference);
  Sensitivity result{.difference = &difference};
  const Rng rng = Rng(kBootstrapKey).fork(difference.metric).fork(difference.arm);
  if (const auto bootstrap = statistics::bootstrap_mean(pairs.differences, rng))
    result.bca = bootstrap->bca;
  if (pairs.differences.size() <= statistics::kMaxSignedRanks)
    result.wilcoxon_p = statistics::wilcoxon(pairs.differences).p;
  if (const auto test = statistics::one_sample_t_test(pairs.differences)) result.t_p = test->p;
  result.d_z = statistics::standardized_difference(pairs.differences);
  result.probability_better =
      probability_better(analysis.metric(difference.metric)->better, pairs.differences);
  result.variance_ratio = statistics::variance_ratio_of_pairing(pairs.arm, pairs.baseline);
  return result;
}

}  // namespace

bool Sensitivity::disagrees(double alpha) const {
  int differ = 0, conclusions = 0;
  const auto count = [&](bool found) {
    differ += found;
    ++conclusions;
  };
  const auto excludes_zero = [](const statistics::Interval& interval) {
    return interval.low > 0 || interval.high < 0;
  };
  for (const std::optional<double>& p : {difference->p, wilcoxon_p, t_p})
    if (p) count(*p < alpha);
  for (const auto& interval : {difference->over_seeds.interval, bca})
    if (interval) count(excludes_zero(*interval));
  return differ > 0 && differ < conclusions;
}

std::vector<Sensitivity> sensitivity_of(const Analysis& analysis) {
  std::vector<Sensitivity> all;
  for (const Difference& difference : analysis.differences)
    if (difference.primary && difference.over_seeds.n > 0)
      all.push_back(sensitivity(analysis, difference));
  return all;
}

}  // namespace ablate::reports
