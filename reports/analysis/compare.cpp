// Compares arms with the baseline: paired differences, the declared test, verdicts.

#include "reports/analysis/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/parallel/ahead.h"
#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/paired/sign_flip.h"
#include "reports/analysis/looks.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

Difference difference_of(const Analysis& analysis, const MetricRow& metric, const ArmResult& arm,
                         const ArmResult& baseline) {
  Difference difference{.arm = arm.name, .metric = metric.name};
  if (!comparable_arms(metric.comparable_across, arm, baseline)) {
    difference.verdict = statistics::Verdict::incomparable;
    difference.note =
        arm.material == baseline.material
            ? fmt::format("comparable across {} only", name_of(metric.comparable_across))
            : "its results folder was trained on different text, or its probes have different "
              "settings";
    return difference;
  }
  difference.over_seeds = paired_difference(arm, baseline, metric.name);
  Estimate& seen = difference.over_seeds;
  if (seen.n == 0) return difference;
  if (metric.name != analysis.primary) {
    difference.p = statistics::sign_flip_p(present_values(seen));
    return difference;
  }
  difference.p = sign_flip_p_of(analysis, seen);
  difference.interval_level = interval_level_of(analysis, seen);
  seen.interval = statistics::t_interval(present_values(seen), difference.interval_level);
  return difference;
}

/// The primary differences that can be tested. Arms without values are included, because the family
/// was declared before the outcomes were known.
std::vector<Difference*> primary_family(Analysis& analysis) {
  std::vector<Difference*> family;
  for (Difference& difference : analysis.differences) {
    difference.primary = difference.metric == analysis.primary;
    if (difference.primary && difference.verdict != statistics::Verdict::incomparable) {
      family.push_back(&difference);
    }
  }
  return family;
}

/// p-values adjusted over the family: those of the sign-flip test, the declared trends last, and,
/// where there is a smallest effect, those of equivalence and of non-inferiority.
struct Adjusted {
  std::vector<double> differs;
  std::vector<double> equivalent;
  std::vector<double> not_worse;
};

bool tests_equivalence(const Analysis& analysis, const Difference& difference) {
  return analysis.smallest_effect && difference.over_seeds.n >= 2;
}

bool tests_non_inferiority(const Analysis& analysis, const Difference& difference) {
  return tests_equivalence(analysis, difference) &&
         analysis.metric(difference.metric)->better != Better::neither;
}

Adjusted adjusted(const Analysis& analysis, const std::vector<Difference*>& family) {
  Adjusted p;
  for (const Difference* difference : family) {
    p.differs.push_back(difference->p.value_or(1));
    p.equivalent.push_back(tests_equivalence(analysis, *difference)
                               ? equivalence_p_of(analysis, difference->over_seeds)
                               : 1);
    p.not_worse.push_back(tests_non_inferiority(analysis, *difference)
                              ? non_inferiority_p_of(analysis, difference->over_seeds,
                                                     analysis.metric(difference->metric)->better)
                              : 1);
  }
  for (const TrendContrast& contrast : analysis.declared_trends)
    p.differs.push_back(contrast.p.value_or(1));
  return {statistics::adjust(p.differs, analysis.correction),
          statistics::adjust(p.equivalent, analysis.correction),
          statistics::adjust(p.not_worse, analysis.correction)};
}

bool excludes_zero(const statistics::Interval& interval) {
  return interval.low > 0 || interval.high < 0;
}

/// The verdict on a primary difference. Where both tests are significant, equivalence takes
/// precedence: the difference is real, and below the smallest effect of interest.
statistics::Verdict judged(const Analysis& analysis, Better better, const Estimate& seen,
                           double differs, double equivalent) {
  if (!seen.interval) return statistics::Verdict::inconclusive;
  if (equivalent < analysis.alpha) return statistics::Verdict::equivalent;
  const bool significant = differs < analysis.alpha && excludes_zero(*seen.interval);
  if (!significant || better == Better::neither) return statistics::Verdict::inconclusive;
  return (*seen.mean < 0) == (better == Better::lower) ? statistics::Verdict::better
                                                       : statistics::Verdict::worse;
}

/// Whether a primary difference surely lacks a loss of more than the smallest effect of interest:
/// by the test, and by the interval that is shown.
bool not_worse(const Analysis& analysis, Better better, const Estimate& seen, double p) {
  if (!seen.interval || p >= analysis.alpha) return false;
  const double loss = better == Better::higher ? -seen.interval->low : seen.interval->high;
  return loss < *analysis.smallest_effect;
}

/// Why a primary difference is not judged; empty where it is.
std::string obstacle(const Analysis& analysis, const Difference& difference) {
  const ArmResult &arm = analysis.arm(difference.arm), &baseline = *analysis.baseline();
  if (arm.diverged != baseline.diverged)
    return fmt::format(
        "{} diverged against {} of the baseline, so the remaining seeds are not a fair sample",
        counted(arm.diverged, "trial"), baseline.diverged);
  if (difference.over_seeds.n >= 2) return "";
  const auto values = [&](const ArmResult& each) { return each.metrics.at(difference.metric).n; };
  if (values(arm) == 0 || values(baseline) == 0) return "no data";
  return difference.over_seeds.n == 0 ? "it shares no seed with the baseline"
                                      : "fewer than two pairs";
}

void judge_family(Analysis& analysis, const std::vector<Difference*>& family) {
  const Adjusted p = adjusted(analysis, family);
  for (std::size_t i = 0; i < family.size(); ++i) {
    Difference& difference = *family[i];
    if (difference.p) difference.p_adjusted = p.differs[i];
    if (tests_equivalence(analysis, difference)) difference.p_equivalent = p.equivalent[i];
    if (tests_non_inferiority(analysis, difference)) difference.p_non_inferior = p.not_worse[i];
    difference.note = obstacle(analysis, difference);
    if (!difference.note.empty()) continue;
    const Better better = analysis.metric(difference.metric)->better;
    difference.verdict =
        judged(analysis, better, difference.over_seeds, p.differs[i], p.equivalent[i]);
    difference.non_inferior =
        difference.p_non_inferior &&
        not_worse(analysis, better, difference.over_seeds, *difference.p_non_inferior);
    const bool open = difference.verdict == statistics::Verdict::inconclusive;
    if (open && better == Better::neither) difference.note = "the metric has no better direction";
  }
  for (std::size_t i = 0; i < analysis.declared_trends.size(); ++i)
    if (TrendContrast& contrast = analysis.declared_trends[i]; contrast.p)
      contrast.p_adjusted = p.differs[family.size() + i];
  analysis.comparisons = static_cast<std::int64_t>(p.differs.size());
}

/// The exploratory differences that could be findings: not of references such as an optimum.
std::vector<Difference*> exploratory_family(Analysis& analysis) {
  std::vector<Difference*> family;
  for (Difference& difference : analysis.differences)
    if (!difference.primary && difference.p &&
        analysis.metric(difference.metric)->better != Better::neither)
      family.push_back(&difference);
  return family;
}

void bound_false_findings(const std::vector<Difference*>& family) {
  std::vector<double> p;
  p.reserve(family.size());
  for (const Difference* difference : family) p.push_back(*difference->p);
  const std::vector<double> q = statistics::benjamini_hochberg(p);
  for (std::size_t i = 0; i < family.size(); ++i) family[i]->q = q[i];
}

}  // namespace

bool comparable_arms(Comparable across, const ArmResult& a, const ArmResult& b) {
  return a.material == b.material &&
         comparable(across, {a.objective, a.settings}, {b.objective, b.settings});
}

std::vector<double> present_values(const Estimate& estimate) {
  std::vector<double> values;
  for (const auto& value : estimate.values) {
    if (value) values.push_back(*value);
  }
  return values;
}

Estimate paired_difference(const ArmResult& arm, const ArmResult& other,
                           const std::string& metric) {
  const Estimate& ours = arm.metrics.at(metric);
  const Estimate& theirs = other.metrics.at(metric);
  std::vector<std::optional<double>> values(arm.trials.size());
  std::size_t j = 0;  // the trials of both arms are ordered by seed
  for (std::size_t i = 0; i < arm.trials.size(); ++i) {
    const std::int64_t seed = arm.trials[i]->seed;
    while (j < other.trials.size() && other.trials[j]->seed < seed) ++j;
    if (j == other.trials.size()) break;
    const bool same_seed = other.trials[j]->seed == seed;
    if (same_seed && ours.values[i] && theirs.values[j])
      values[i] = statistics::difference(*ours.values[i], *theirs.values[j]);
  }
  return estimate(std::move(values));
}

Pairs pairs_of(const Analysis& analysis) {
  Pairs pairs;
  for (const Difference& difference : analysis.differences) {
    const std::int64_t n = difference.over_seeds.n;
    if (!difference.primary || n == 0) continue;
    pairs.minimum = pairs.minimum == 0 ? n : std::min(pairs.minimum, n);
    pairs.maximum = std::max(pairs.maximum, n);
  }
  return pairs;
}

std::string test_name(const Analysis& analysis) {
  if (analysis.looks) return "sequential sign-flip test";
  return rounding_sentence(analysis).empty() ? "exact sign-flip test" : "sign-flip test";
}

std::string rounding_sentence(const Analysis& analysis) {
  if (analysis.looks || pairs_of(analysis).maximum <= statistics::kMaxEnumeratedDifferences)
    return "";
  return fmt::format(
      "With more than {} seeds, p is that of the differences rounded to multiples of 1/{} of the "
      "sum of their sizes.",
      statistics::kMaxEnumeratedDifferences, static_cast<std::int64_t>(statistics::kRoundingSteps));
}

std::int64_t sharing(const Analysis& analysis) {
  return analysis.correction == statistics::Correction::holm
             ? std::max<std::int64_t>(analysis.comparisons, 1)
             : 1;
}

std::string family_text(const Analysis& analysis) {
  const std::int64_t trends = std::ssize(analysis.declared_trends);
  const std::string comparisons = counted(analysis.comparisons - trends, "comparison");
  return trends == 0 ? comparisons
                     : fmt::format("{} and {}", comparisons, counted(trends, "trend"));
}

double minimum_p(const Analysis& analysis) {
  return std::min(1.0, smallest_p_of(analysis, pairs_of(analysis).maximum) *
                           static_cast<double>(sharing(analysis)));
}

std::int64_t seeds_needed(const Analysis& analysis) {
  constexpr std::int64_t kMaxSeeds = 60;
  if (analysis.looks) return analysis.looks->seeds.front();
  const double level = analysis.alpha / static_cast<double>(sharing(analysis));
  return statistics::minimum_sign_flip_p(kMaxSeeds) < level
             ? statistics::fewest_for_sign_flip(level)
             : 0;
}

std::string verdict_text(const Analysis& analysis, const Difference& difference) {
  if (analysis.none_above_floor && difference.primary &&
      difference.verdict != statistics::Verdict::incomparable)
    return "not above the floor";
  const std::int64_t pairs = difference.over_seeds.n;
  const bool untestable =
      difference.verdict == statistics::Verdict::inconclusive && pairs > 0 &&
      (difference.note.empty() || pairs == 1) &&
      smallest_p_of(analysis, pairs) * static_cast<double>(sharing(analysis)) >= analysis.alpha;
  return untestable ? fmt::format("not testable with {}", counted(pairs, "seed"))
                    : std::string(name_of(difference.verdict));
}

std::string emptiness(const Analysis& analysis, const Difference& difference) {
  const auto values = [&](const ArmResult& each) { return each.metrics.at(difference.metric).n; };
  const bool both = values(analysis.arm(difference.arm)) > 0 && values(*analysis.baseline()) > 0;
  return both ? "no common seeds" : "no data";
}

std::string not_worse_text(const Analysis& analysis, const Difference& difference) {
  const bool open = difference.verdict == statistics::Verdict::inconclusive;
  return open && difference.non_inferior ? fmt::format(", but not worse by more than {}",
                                                       significant(*analysis.smallest_effect))
                                         : "";
}

bool slight(const Analysis& analysis, const Difference& difference) {
  const bool differs = difference.verdict == statistics::Verdict::better ||
                       difference.verdict == statistics::Verdict::worse;
  return differs && analysis.smallest_effect &&
         std::abs(*difference.over_seeds.mean) < *analysis.smallest_effect;
}

void compare(Analysis& analysis) {
  const ArmResult* baseline = analysis.baseline();
  if (baseline == nullptr) return;
  std::vector<Difference> differences;
  Ahead<Difference> tests(
      [&](Difference difference) { differences.push_back(std::move(difference)); });
  for (const MetricRow& metric : analysis.metrics) {
    if (!baseline->metrics.contains(metric.name)) continue;
    for (const ArmResult& arm : analysis.arms) {
      const auto found = arm.metrics.find(metric.name);
      if (&arm == baseline || found == arm.metrics.end()) continue;
      tests.run([&] { return difference_of(analysis, metric, arm, *baseline); },
                found->second.n <= statistics::kMaxEnumeratedDifferences);
    }
  }
  tests.finish();
  analysis.differences = std::move(differences);
  judge_family(analysis, primary_family(analysis));
  bound_false_findings(exploratory_family(analysis));
  for (Difference& difference : analysis.differences) {
    if (!difference.primary && difference.verdict != statistics::Verdict::incomparable) {
      difference.note = "exploratory";
    }
  }
}

}  // namespace ablate::reports
