#include "reports/claims/evidence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/paired/equivalence.h"
#include "harness/statistics/paired/sign_flip.h"
#include "reports/analysis/compare.h"
#include "reports/claims/profile.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMinPlaces = 3;  // of a sweep
constexpr std::int64_t kMinPairs = 2;

Estimate estimate_over(const std::vector<double>& values) {
  return estimate(std::vector<std::optional<double>>(values.begin(), values.end()));
}

std::vector<double> values_in(const Estimate& estimate) {
  std::vector<double> values;
  for (const auto& value : estimate.values)
    if (value) values.push_back(*value);
  return values;
}

Evidence not_measured(std::string note) {
  Evidence evidence;
  evidence.note = std::move(note);
  return evidence;
}

/// The p of a difference from 0, where its interval excludes 0 as well; 1 otherwise.
double p_of_difference(const std::vector<double>& differences) {
  const auto interval = statistics::t_interval(differences);
  const bool differs = interval && (interval->low > 0 || interval->high < 0);
  return differs ? statistics::sign_flip_p(differences) : 1;
}

const ArmResult* arm_named(const Analysis& analysis, const std::string& name) {
  for (const ArmResult& arm : analysis.arms)
    if (arm.name == name) return &arm;
  return nullptr;
}

bool has_values(const ArmResult& arm, const std::string& metric) {
  const auto found = arm.metrics.find(metric);
  return found != arm.metrics.end() && found->second.n > 0;
}

/// Throws unless the metric may be compared between all arms.
void check_comparable(const Claim& claim, const Analysis& analysis,
                      const std::vector<const ArmResult*>& arms) {
  const MetricRow* row = analysis.metric(claim.metric);
  for (const ArmResult* arm : arms)
    if (row != nullptr && !comparable_arms(row->comparable_across, *arms.front(), *arm))
      reject(
          "claim '{}': {} may not be compared between '{}' and '{}' (comparable across {} only); "
          "name another metric",
          claim.id, claim.metric, arms.front()->name, arm->name, name_of(row->comparable_across));
}

/// Why the seeds that are left may not be compared; empty where they may.
std::string unfair_sample(const std::vector<const ArmResult*>& arms) {
  if (arms.size() == 1 && arms.front()->diverged > 0)
    return fmt::format("{} of '{}' diverged, so the remaining seeds are not a fair sample",
                       counted(arms.front()->diverged, "trial"), arms.front()->name);
  for (const ArmResult* arm : arms)
    if (arm->diverged != arms.front()->diverged)
      return fmt::format(
          "{} of '{}' diverged against {} of '{}', so the remaining seeds are not a fair sample",
          counted(arm->diverged, "trial"), arm->name, arms.front()->diverged, arms.front()->name);
  return "";
}

/// Why nothing can be tested on this many pairs and these arms; empty where it can.
std::string claim_obstacle(std::int64_t pairs, const std::vector<const ArmResult*>& arms) {
  if (pairs == 0)
    return arms.size() == 1 ? "no seed has the values" : "no seed has completed in all arms";
  if (pairs < kMinPairs) return "one seed: nothing is concluded from fewer than two";
  return unfair_sample(arms);
}

void test_margin(const Claim& claim, const std::vector<double>& differences, Evidence& evidence) {
  const double within = statistics::equivalence_p(differences, claim.margin);
  const statistics::Interval& interval = *evidence.seen.interval;
  const bool beyond = interval.low > claim.margin || interval.high < -claim.margin;
  const double outside = beyond ? p_of_difference(differences) : 1;
  evidence.p = std::min(within, outside);
  evidence.agrees = !beyond;
}

/// The arm's values less an amount, by seed.
Estimate beyond_amount(const ArmResult& arm, const std::string& metric, double amount) {
  std::vector<std::optional<double>> differences;
  for (const store::TrialRecord* trial : arm.trials) {
    differences.push_back(arm.value_at(metric, trial->seed));
    if (differences.back())
      differences.back() = statistics::difference(*differences.back(), amount);
  }
  return estimate(std::move(differences));
}

/// The arm's values of a metric less those of another, by seed.
Estimate beyond_metric(const ArmResult& arm, const std::string& metric, const std::string& other) {
  std::vector<std::optional<double>> differences;
  for (const store::TrialRecord* trial : arm.trials) {
    const std::optional<double> subtracted = arm.value_at(other, trial->seed);
    differences.push_back(arm.value_at(metric, trial->seed));
    if (differences.back() && subtracted)
      differences.back() = statistics::difference(*differences.back(), *subtracted);
    else
      differences.back().reset();
  }
  return estimate(std::move(differences));
}

Estimate compared(const Claim& claim, const std::vector<const ArmResult*>& arms) {
  if (claim.amount) return beyond_amount(*arms[0], claim.metric, *claim.amount);
  if (!claim.other_metric.empty()) return beyond_metric(*arms[0], claim.metric, claim.other_metric);
  return paired_difference(*arms[0], *arms[1], claim.metric);
}

std::vector<const std::string*> compared_names(const Claim& claim) {
  if (claim.baseline.empty()) return {&claim.arm};
  return {&claim.arm, &claim.baseline};
}

std::vector<const std::string*> compared_metrics(const Claim& claim) {
  if (claim.other_metric.empty()) return {&claim.metric};
  return {&claim.metric, &claim.other_metric};
}

/// Throws where the claim compares two metrics in different units, whose difference says nothing.
void check_units(const Claim& claim, const Analysis& analysis) {
  if (claim.other_metric.empty()) return;
  const MetricRow *one = analysis.metric(claim.metric),
                  *other = analysis.metric(claim.other_metric);
  if (one != nullptr && other != nullptr && one->unit != other->unit)
    reject("claim '{}': {} is in {}, but {} in {}; name two metrics of the same unit", claim.id,
           claim.metric, one->unit, claim.other_metric, other->unit);
}

Evidence compare_two(const Claim& claim, const Analysis& analysis) {
  std::vector<const ArmResult*> arms;
  for (const std::string* name : compared_names(claim)) {
    arms.push_back(arm_named(analysis, *name));
    if (arms.back() == nullptr)
      return not_measured(fmt::format("this store has no arm '{}'", *name));
    if (arms.back()->pending())
      return not_measured(fmt::format("no trial of '{}' has ended", *name));
  }
  check_comparable(claim, analysis, arms);
  check_units(claim, analysis);
  for (const ArmResult* arm : arms)
    for (const std::string* metric : compared_metrics(claim))
      if (arm->completed > 0 && !has_values(*arm, *metric))
        return not_measured(fmt::format("'{}' has no values of {}", arm->name, *metric));
  Evidence evidence;
  evidence.measured = true;
  evidence.seen = compared(claim, arms);
  evidence.note = claim_obstacle(evidence.seen.n, arms);
  if (!evidence.note.empty()) return evidence;
  const std::vector<double> differences = values_in(evidence.seen);
  if (claim.expected == Expectation::equal) {
    test_margin(claim, differences, evidence);
    return evidence;
  }
  evidence.p = p_of_difference(differences);
  evidence.agrees = (*evidence.seen.mean > 0) == (claim.expected == Expectation::higher);
  return evidence;
}

/// A step of the sweep that is significantly against the trend; empty where there is none.
std::string opposite_step(const Profile& profile, double sign, double alpha) {
  std::vector<double> p;
  for (std::size_t i = 1; i < profile.at.size(); ++i)
    p.push_back(p_of_difference(profile.difference(i - 1, i)));
  const std::vector<double> adjusted = statistics::holm(p);
  for (std::size_t i = 1; i < profile.at.size(); ++i)
    if (adjusted[i - 1] < alpha && sign * statistics::mean(profile.difference(i - 1, i)) < 0)
      return fmt::format("the trend is there, but from {} to {} it goes the other way ({})",
                         plain_number(profile.at[i - 1]), plain_number(profile.at[i]),
                         p_phrase(adjusted[i - 1]));
  return "";
}

void test_trend(const Claim& claim, const Analysis& analysis, const Profile& profile,
                Evidence& evidence) {
  const double sign = claim.expected == Expectation::rising ? 1 : -1;
  evidence.seen = estimate_over(profile.slopes());
  evidence.p = p_of_difference(profile.slopes());
  evidence.agrees = sign * *evidence.seen.mean > 0;
  if (!evidence.agrees || evidence.p >= analysis.alpha) return;
  evidence.note = opposite_step(profile, sign, analysis.alpha);
  if (!evidence.note.empty()) evidence.p = 1;
}

/// p of "the metric at `place` is on the side `sign` of that at each of `others`": the largest of
/// the differences' p.
double p_beyond_all(const Profile& profile, std::size_t place,
                    const std::vector<std::size_t>& others, double sign) {
  double largest = 0;
  for (const std::size_t other : others) {
    const std::vector<double> difference = profile.difference(other, place);
    const bool beyond = sign * statistics::mean(difference) > 0;
    largest = std::max(largest, beyond ? p_of_difference(difference) : 1);
  }
  return largest;
}

double mean_at(const Profile& profile, std::size_t place) {
  return statistics::mean(profile.values[place]);
}

void test_inner_optimum(const Claim& claim, const Profile& profile, Evidence& evidence) {
  const double sign = claim.expected == Expectation::inner_maximum ? 1 : -1;
  const std::size_t last = profile.at.size() - 1;
  const std::vector<std::size_t> ends = {0, last};
  std::vector<std::size_t> inner;
  for (std::size_t i = 1; i < last; ++i) inner.push_back(i);
  const auto ahead = [&](std::size_t a, std::size_t b) {
    return sign * statistics::difference(mean_at(profile, a), mean_at(profile, b)) < 0;
  };
  const std::size_t best = *std::max_element(inner.begin(), inner.end(), ahead);
  const std::size_t end = *std::max_element(ends.begin(), ends.end(), ahead);
  double supports = 1, opposes = 1;
  for (const std::size_t place : inner)
    supports = std::min(supports, p_beyond_all(profile, place, ends, sign));
  for (const std::size_t place : ends)
    opposes = std::min(opposes, p_beyond_all(profile, place, inner, sign));
  evidence.seen = estimate_over(profile.difference(end, best));
  evidence.agrees = ahead(end, best);
  evidence.p = std::min(1.0, evidence.agrees ? supports * static_cast<double>(inner.size())
                                             : opposes * static_cast<double>(ends.size()));
  evidence.note = fmt::format("at {} compared with the better end, {}",
                              plain_number(profile.at[best]), plain_number(profile.at[end]));
}

Evidence follow_sweep(const Claim& claim, const Analysis& analysis) {
  const std::string families = claim.minus.empty()
                                   ? fmt::format("'{}'", claim.family)
                                   : fmt::format("'{}' and '{}'", claim.family, claim.minus);
  const auto profile = profile_of(analysis, claim.family, claim.minus, claim.along, claim.metric);
  if (!profile || profile->at.size() < kMinPlaces)
    return not_measured(fmt::format("fewer than {} values of {} of {} were run", kMinPlaces,
                                    claim.along, families));
  check_comparable(claim, analysis, profile->arms);
  for (const ArmResult* arm : profile->arms)
    if (arm->completed > 0 && !has_values(*arm, claim.metric))
      return not_measured(fmt::format("'{}' has no values of {}", arm->name, claim.metric));
  Evidence evidence;
  evidence.measured = true;
  const auto pairs = static_cast<std::int64_t>(profile->values.front().size());
  evidence.note = claim_obstacle(pairs, profile->arms);
  if (!evidence.note.empty()) return evidence;
  const bool trend =
      claim.expected == Expectation::rising || claim.expected == Expectation::falling;
  if (trend)
    test_trend(claim, analysis, *profile, evidence);
  else
    test_inner_optimum(claim, *profile, evidence);
  return evidence;
}

}  // namespace

Evidence evidence_on(const Claim& claim, const Analysis& analysis) {
  return compares_arms(claim.expected) ? compare_two(claim, analysis)
                                       : follow_sweep(claim, analysis);
}

}  // namespace ablate::reports
