#include "reports/analysis/comparisons/standings.h"

#include <algorithm>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/paired/equivalence.h"
#include "harness/statistics/paired/sign_flip.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"

namespace ablate::reports {
namespace {

constexpr std::int64_t kMinValues = 3;

using Contenders = std::vector<const ArmResult*>;

/// The arms that have a mean in the metric.
Contenders contenders_of(const Analysis& analysis, const MetricRow& metric) {
  Contenders arms;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(metric.name);
    if (found != arm.metrics.end() && found->second.mean) arms.push_back(&arm);
  }
  return arms;
}

bool may_have_best(const Contenders& arms, const MetricRow& metric) {
  if (metric.better == Better::neither || arms.size() < 2) return false;
  return std::all_of(arms.begin(), arms.end(), [&](const ArmResult* arm) {
    return arm->metrics.at(metric.name).n >= kMinValues &&
           arm->diverged == arms.front()->diverged &&
           comparable_arms(metric.comparable_across, *arm, *arms.front());
  });
}

/// Whether the tests of all others against the best could find a difference, however large.
bool may_tell_apart(const Analysis& analysis, const Contenders& arms, const MetricRow& metric) {
  std::int64_t pairs = arms.front()->metrics.at(metric.name).n;
  for (const ArmResult* arm : arms) pairs = std::min(pairs, arm->metrics.at(metric.name).n);
  const auto tests = static_cast<double>(arms.size() - 1);
  return tests * statistics::minimum_sign_flip_p(pairs) < analysis.alpha;
}

const ArmResult& best_of(const Contenders& arms, const MetricRow& metric) {
  const auto mean = [&](const ArmResult* arm) { return *arm->metrics.at(metric.name).mean; };
  return **std::min_element(arms.begin(), arms.end(), [&](const ArmResult* a, const ArmResult* b) {
    const double ahead = statistics::difference(mean(a), mean(b));
    return metric.better == Better::lower ? ahead < 0 : ahead > 0;
  });
}

/// The p-values of the tests against the best, adjusted over them.
struct AgainstBest {
  std::vector<Estimate> differences;
  std::vector<double> differs, equivalent;
};

AgainstBest tested(const Analysis& analysis, const Contenders& others, const ArmResult& best,
                   const MetricRow& metric) {
  AgainstBest tests;
  const bool margin = analysis.smallest_effect && metric.name == analysis.primary;
  for (const ArmResult* arm : others) {
    tests.differences.push_back(paired_difference(*arm, best, metric.name));
    const std::vector<double> values = present_values(tests.differences.back());
    tests.differs.push_back(p_at_look(analysis, statistics::sign_flip_p(values)));
    tests.equivalent.push_back(
        margin && values.size() >= 2
            ? p_at_look(analysis, statistics::equivalence_p(values, *analysis.smallest_effect))
            : 1);
  }
  tests.differs = statistics::holm(tests.differs);
  tests.equivalent = statistics::holm(tests.equivalent);
  return tests;
}

}  // namespace

std::map<std::string, Standing> standings(const Analysis& analysis, const MetricRow& metric) {
  std::map<std::string, Standing> result;
  Contenders arms = contenders_of(analysis, metric);
  if (!may_have_best(arms, metric) || !may_tell_apart(analysis, arms, metric)) return result;
  const ArmResult& best = best_of(arms, metric);
  std::erase(arms, &best);
  const AgainstBest tests = tested(analysis, arms, best, metric);
  result[best.name] = Standing::best;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const auto& interval = tests.differences[i].interval;
    const bool behind =
        tests.differs[i] < analysis.alpha && interval && (interval->low > 0 || interval->high < 0);
    result[arms[i]->name] = tests.equivalent[i] < analysis.alpha ? Standing::equivalent
                            : behind                             ? Standing::unmarked
                                                                 : Standing::unresolved;
  }
  return result;
}

}  // namespace ablate::reports
