#include "reports/analysis/looks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "harness/base/number_text.h"
#include "harness/statistics/paired/equivalence.h"
#include "harness/statistics/paired/non_inferiority.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sequential/sequential_sign_flip.h"

namespace ablate::reports {
namespace {

constexpr double kIntervalLevel = 0.05;

/// Whether an arm's trials of its first `seeds` seeds have all ended.
bool has_ended(const ArmResult& arm, std::int64_t seeds) {
  const auto count = static_cast<std::size_t>(seeds);
  return arm.trials.size() >= count && std::all_of(arm.trials.begin(), arm.trials.begin() + seeds,
                                                   [](const store::TrialRecord* trial) {
                                                     return trial->outcome != "unfinished";
                                                   });
}

/// The values of a difference by complete look; they are in the order of the arm's seeds, which is
/// that of the looks.
statistics::DifferencesByLook by_look(const LooksSoFar& looks, const Estimate& difference) {
  statistics::DifferencesByLook groups;
  std::size_t place = 0;
  for (std::size_t look = 0; look < looks.complete; ++look) {
    std::vector<double>& group = groups.emplace_back();
    const auto end =
        std::min(static_cast<std::size_t>(looks.seeds[look]), difference.values.size());
    for (; place < end; ++place)
      if (difference.values[place]) group.push_back(*difference.values[place]);
  }
  return groups;
}

std::vector<double> present(const Estimate& difference) {
  std::vector<double> values;
  for (const auto& value : difference.values)
    if (value) values.push_back(*value);
  return values;
}

/// p of a test that takes all values so far: over looks, the smallest p over its part of alpha
/// (Bonferroni).
template <class Test>
double p_over_looks(const Analysis& analysis, const Estimate& difference, const Test& test) {
  if (!analysis.looks) return test(present(difference));
  std::vector<double> seen, p;
  for (const std::vector<double>& group : by_look(*analysis.looks, difference)) {
    seen.insert(seen.end(), group.begin(), group.end());
    p.push_back(seen.size() < 2 ? 1 : test(seen));
  }
  return statistics::sequential_p(p, analysis.looks->weights);
}

}  // namespace

std::optional<LooksSoFar> looks_of(const store::StoredPlan& plan,
                                   const std::vector<ArmResult>& arms) {
  if (!plan.looks) return std::nullopt;
  LooksSoFar looks{.seeds = plan.looks->seeds, .weights = plan.looks->weights};
  const auto complete = [&](std::int64_t seeds) {
    return std::all_of(arms.begin(), arms.end(),
                       [&](const ArmResult& arm) { return has_ended(arm, seeds); });
  };
  while (looks.complete < looks.seeds.size() && complete(looks.seeds[looks.complete]))
    ++looks.complete;
  return looks;
}

double sign_flip_p_of(const Analysis& analysis, const Estimate& difference) {
  return analysis.looks ? statistics::sequential_sign_flip_p(by_look(*analysis.looks, difference),
                                                             analysis.looks->weights)
                        : statistics::sign_flip_p(present(difference));
}

double equivalence_p_of(const Analysis& analysis, const Estimate& difference) {
  return p_over_looks(analysis, difference, [&](std::span<const double> seen) {
    return statistics::equivalence_p(seen, *analysis.smallest_effect);
  });
}

double non_inferiority_p_of(const Analysis& analysis, const Estimate& difference, Better better) {
  return p_over_looks(analysis, difference, [&](std::span<const double> seen) {
    std::vector<double> worsening(seen.begin(), seen.end());
    if (better == Better::higher)
      for (double& each : worsening) each = -each;
    return statistics::non_inferiority_p(worsening, *analysis.smallest_effect);
  });
}

double p_at_look(const Analysis& analysis, double p) {
  if (!analysis.looks) return p;
  const LooksSoFar& looks = *analysis.looks;
  return looks.complete == 0 ? 1 : std::min(1.0, p / looks.weights[looks.complete - 1]);
}

double interval_level_of(const Analysis& analysis, const Estimate& difference) {
  if (!analysis.looks) return kIntervalLevel;
  const LooksSoFar& looks = *analysis.looks;
  if (looks.complete == 0) return kIntervalLevel * looks.weights.front();
  return statistics::level_at_look(by_look(looks, difference), looks.weights, kIntervalLevel);
}

double smallest_p_of(const Analysis& analysis, std::int64_t pairs) {
  if (!analysis.looks) return statistics::minimum_sign_flip_p(pairs);
  Estimate unanimous;
  unanimous.values.assign(static_cast<std::size_t>(pairs), 1.0);
  return sign_flip_p_of(analysis, unanimous);
}

bool is_decided(const Analysis& analysis) {
  return std::none_of(
      analysis.differences.begin(), analysis.differences.end(), [&](const Difference& difference) {
        const bool obstacle = !difference.note.empty() &&
                              analysis.metric(difference.metric)->better != Better::neither;
        return difference.primary && !obstacle &&
               difference.verdict == statistics::Verdict::inconclusive;
      });
}

std::string looks_sentence(const Analysis& analysis) {
  if (!analysis.looks) return "";
  const LooksSoFar& looks = *analysis.looks;
  return fmt::format(
      "The experiment is run until it is decided, with looks planned after {} seeds, of which {} "
      "{} "
      "complete: p counts all of them, so that alpha holds over all looks together; differences "
      "are "
      "rounded to multiples of 1/{:g} of the sum of their sizes at the first look. Intervals of "
      "the "
      "primary differences have the level at which their look tests, {:g} % or more.",
      fmt::join(looks.seeds, ", "), looks.complete, looks.complete == 1 ? "is" : "are",
      statistics::kLookSteps, 100 * (1 - kIntervalLevel));
}

std::string interval_name(const Analysis& analysis) {
  return analysis.looks ? "t-interval at the level of the look" : "95 % t-interval";
}

}  // namespace ablate::reports
