// The answer to an experiment's question, in one sentence that states only what was tested.

#include "reports/analysis/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "harness/statistics/power.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/declared_trends.h"
#include "reports/analysis/floors.h"
#include "reports/analysis/looks.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Differences = std::vector<const Difference*>;

constexpr std::size_t kMaxSizes = 3;  // differences whose sizes a sentence can hold

/// The primary differences of the arms that have records.
Differences primary_differences(const Analysis& analysis) {
  const std::vector<const ArmResult*> arms = analysis.arms_with_records();
  Differences result;
  for (const Difference& difference : analysis.differences) {
    const auto named = [&](const ArmResult* arm) { return arm->name == difference.arm; };
    if (difference.primary && std::any_of(arms.begin(), arms.end(), named))
      result.push_back(&difference);
  }
  return result;
}

std::string size_text(const Difference& difference, bool absolute) {
  if (!difference.over_seeds.mean) return "no pairs";
  const double seen = *difference.over_seeds.mean;
  Rounded number = rounded(seen, difference.over_seeds.interval);
  if (absolute && number.mean.starts_with('-')) number.mean.erase(0, 1);
  return number.text();
}

std::string metric_phrase(const Analysis& analysis) {
  const MetricRow& metric = *analysis.metric(analysis.primary);
  std::string text = metric.name;
  std::string about = metric.unit;
  if (metric.better != Better::neither) {
    about += fmt::format("{}{} is better", about.empty() ? "" : ", ", name_of(metric.better));
  }
  return about.empty() ? text : text + " (" + about + ")";
}

std::string test_phrase(const Analysis& analysis) {
  const Pairs pairs = pairs_of(analysis);
  std::string text =
      fmt::format("paired over {}{}, {}",
                  pairs.minimum < pairs.maximum ? fmt::format("{} to ", pairs.minimum) : "",
                  counted(pairs.maximum, "seed"), test_name(analysis));
  if (analysis.comparisons > 1) {
    text += analysis.correction == statistics::Correction::holm
                ? ", Holm over " + family_text(analysis)
                : ", not corrected for " + family_text(analysis);
  }
  if (minimum_p(analysis) >= analysis.alpha) {
    text += fmt::format("; too few seeds for any {}p below {}",
                        sharing(analysis) > 1 ? "adjusted " : "", significant(analysis.alpha, 3));
    if (const std::int64_t seeds = seeds_needed(analysis); seeds > 0)
      text += fmt::format(", which takes {}", seeds);
  }
  return text;
}

/// The test that decided, with its p: "p = 0.031; paired over 6 seeds, exact sign-flip test".
std::string decided_by(const Analysis& analysis, const Difference& difference) {
  std::string differs =
      fmt::format("{}; {}", p_phrase(difference.p_adjusted), test_phrase(analysis));
  if (difference.verdict != statistics::Verdict::equivalent) return differs;
  return fmt::format("two one-sided t-tests: {}; of a difference: {}",
                     p_phrase(difference.p_equivalent), differs);
}

/// The statement on one arm: "is better than mlm by 0.812 ± 0.051".
std::string claim(const Analysis& analysis, const Difference& difference) {
  const std::string& baseline = analysis.baseline()->label;
  switch (difference.verdict) {
    case statistics::Verdict::better:
    case statistics::Verdict::worse:
      return fmt::format("is {} than {} by {}{}", name_of(difference.verdict), baseline,
                         size_text(difference, true),
                         slight(analysis, difference)
                             ? fmt::format(", less than the smallest effect of interest, {}",
                                           significant(*analysis.smallest_effect))
                             : "");
    case statistics::Verdict::equivalent:
      return fmt::format("is equivalent to {} within ±{} (difference {})", baseline,
                         significant(*analysis.smallest_effect), size_text(difference, false));
    case statistics::Verdict::incomparable:
      return fmt::format("is not comparable with {}", baseline);
    case statistics::Verdict::inconclusive:
      break;
  }
  const std::string why = difference.note.empty() ? "" : "; " + difference.note;
  return fmt::format("against {} is {}{}: the difference is {}{}", baseline,
                     verdict_text(analysis, difference), not_worse_text(analysis, difference),
                     size_text(difference, false), why);
}

std::string one_arm(const Analysis& analysis, const Difference& difference) {
  std::string text = fmt::format("In {}, {} {}", metric_phrase(analysis),
                                 analysis.label(difference.arm), claim(analysis, difference));
  if (difference.verdict == statistics::Verdict::incomparable)
    return text + ": " + difference.note + ".";
  return fmt::format("{} ({}).", text, decided_by(analysis, difference));
}

/// Whether the arms may be compared but have no data.
bool without_data(const Difference& difference) {
  return difference.verdict != statistics::Verdict::incomparable && difference.over_seeds.n == 0;
}

/// The arms that satisfy a test: "mlm, fim".
template <typename Test>
std::string arms_where(const Analysis& analysis, const Differences& differences, const Test& test) {
  std::string arms;
  for (const Difference* difference : differences)
    if (test(*difference))
      arms += fmt::format("{}{}", arms.empty() ? "" : ", ", analysis.label(difference->arm));
  return arms;
}

/// The arms of one verdict, of `compared` arms: "mlm (0.3 ± 0.1), fim (0.2 ± 0.1)". Where many are
/// compared, the sizes are left to the table, and "all 9 arms compared" stands for all their names.
std::string arms_of_verdict(const Analysis& analysis, const Differences& group,
                            std::size_t compared) {
  if (compared > kMaxSizes && group.size() == compared)
    return fmt::format("all {} arms compared", compared);
  std::string arms;
  for (const Difference* difference : group) {
    arms += fmt::format("{}{}", arms.empty() ? "" : ", ", analysis.label(difference->arm));
    if (compared <= kMaxSizes && difference->verdict != statistics::Verdict::incomparable)
      arms += fmt::format(" ({})", size_text(*difference, false));
  }
  return arms;
}

std::string many_arms(const Analysis& analysis, const Differences& differences) {
  constexpr std::array kOrder = {statistics::Verdict::better, statistics::Verdict::worse,
                                 statistics::Verdict::equivalent, statistics::Verdict::inconclusive,
                                 statistics::Verdict::incomparable};
  std::string text =
      fmt::format("In {}, against {}", metric_phrase(analysis), analysis.baseline()->label);
  const char* separator = ", ";
  for (const statistics::Verdict verdict : kOrder) {
    std::map<std::string, Differences> groups;
    for (const Difference* difference : differences)
      if (difference->verdict == verdict && !without_data(*difference))
        groups[verdict_text(analysis, *difference) + not_worse_text(analysis, *difference)]
            .push_back(difference);
    const bool equivalent = verdict == statistics::Verdict::equivalent;
    for (const auto& [words, group] : groups) {
      text += fmt::format("{}{}{}: {}", separator, words,
                          equivalent ? " within ±" + significant(*analysis.smallest_effect) : "",
                          arms_of_verdict(analysis, group, differences.size()));
      separator = "; ";
    }
  }
  for (const char* why : {"no common seeds", "no data"}) {
    const std::string none = arms_where(analysis, differences, [&](const Difference& difference) {
      return without_data(difference) && emptiness(analysis, difference) == why;
    });
    if (none.empty()) continue;
    text += fmt::format("{}{}: {}", separator, why, none);
    separator = "; ";
  }
  const std::string slightly = arms_where(analysis, differences, [&](const Difference& difference) {
    return slight(analysis, difference);
  });
  if (!slightly.empty())
    text += fmt::format("; by less than the smallest effect of interest, {}: {}",
                        significant(*analysis.smallest_effect), slightly);
  return text + " (" + test_phrase(analysis) + ").";
}

std::string answer_by_differences(const Analysis& analysis) {
  const ArmResult* baseline = analysis.baseline();
  if (baseline == nullptr) return "No arm is the baseline, so no difference was tested.";
  if (analysis.primary.empty()) {
    return "The experiment declared no primary metric, so every difference is exploratory.";
  }
  if (baseline->pending())
    return fmt::format("Nothing can be compared yet: no trial of the baseline, {}, has ended.",
                       baseline->label);
  const Differences differences = primary_differences(analysis);
  if (differences.empty()) {
    return fmt::format("No arm can {}be set against {} in the primary metric, {}.",
                       analysis.arms_with_records().size() < analysis.arms.size() ? "yet " : "",
                       baseline->label, analysis.primary);
  }
  if (differences.size() == 1) return one_arm(analysis, *differences.front());
  return many_arms(analysis, differences);
}

}  // namespace

std::string answer(const Analysis& analysis) {
  const std::string by_differences = answer_by_differences(analysis);
  const std::string floor = floor_sentence(analysis), trends = trend_sentences(analysis);
  return fmt::format("{}{}{}{}", floor, floor.empty() ? "" : " ", by_differences, trends);
}

std::string method(const Analysis& analysis) {
  if (analysis.baseline() == nullptr || analysis.comparisons == 0) {
    return "Nothing was tested: there is no primary metric in which an arm can be set against the "
           "baseline.";
  }
  const std::int64_t pairs = pairs_of(analysis).maximum;
  const std::string rounding =
      analysis.looks ? looks_sentence(analysis) : rounding_sentence(analysis);
  std::string text = fmt::format(
      "Differences are arm minus baseline at the same seed, which shares initial weights, data "
      "order, noise and probe documents. The test is the {}two-sided sign-flip permutation test of "
      "{} at alpha {} over {}{}. {}An arm is better or worse only if its adjusted p is below alpha "
      "and its {} excludes 0{}. ",
      rounding.empty() ? "exact " : "", analysis.primary, significant(analysis.alpha, 3),
      family_text(analysis),
      analysis.correction == statistics::Correction::holm ? ", adjusted by Holm's method"
                                                          : ", not adjusted",
      rounding.empty() ? "" : rounding + " ", interval_name(analysis),
      analysis.declared_trends.empty() ? "" : "; so does a declared trend rise, fall or bend");
  if (analysis.smallest_effect) {
    text += fmt::format(
        "Two one-sided t-tests against ±{}, adjusted alike, can show an arm equivalent. ",
        significant(*analysis.smallest_effect));
  }
  const auto effect =
      statistics::minimum_detectable_effect(pairs, analysis.alpha, sharing(analysis));
  if (analysis.looks) {
    // What looks can find is not what one test of as many seeds can: the plan states it.
  } else if (effect) {
    text += fmt::format(
        "With {} the test finds effects of {} standard deviations of the paired difference with "
        "power 0.8. ",
        counted(pairs, "seed"), significant(*effect, 3));
  } else {
    text += fmt::format(
        "With {} no p below {} can come out, so no difference could be found significant. ",
        counted(pairs, "seed"), p_text(minimum_p(analysis)));
  }
  return text +
         "Every other difference is exploratory: shown with its interval, without a verdict; q is "
         "its "
         "p adjusted over all of these by Benjamini and Hochberg's method, which bounds the "
         "expected "
         "fraction of false findings among those with a smaller q.";
}

}  // namespace ablate::reports
