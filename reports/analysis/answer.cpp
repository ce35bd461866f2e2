// The answer to an experiment's question, in one sentence that claims no more than was tested.

#include "reports/analysis/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/base/error.h"
#include "harness/statistics/power.h"
#include "reports/analysis/compare.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Differences = std::vector<const Difference*>;

Differences primary_differences(const Analysis& analysis) {
  Differences result;
  for (const Difference& difference : analysis.differences) {
    if (difference.primary) result.push_back(&difference);
  }
  return result;
}

std::string size_text(const Difference& difference, bool absolute) {
  if (!difference.over_seeds.mean) return "no pairs";
  const double seen = *difference.over_seeds.mean;
  Rounded number = rounded(seen, difference.over_seeds.interval);
  if (absolute && number.mean.starts_with('-')) number.mean.erase(0, 1);
  return number.mean + (number.half.empty() ? "" : " ± " + number.half);
}

std::string p_phrase(const Difference& difference) {
  if (!difference.p_adjusted) return "no p";
  const std::string p = p_text(*difference.p_adjusted);
  return p.starts_with('<') ? "p < " + p.substr(1) : "p = " + p;
}

std::string metric_phrase(const Analysis& analysis) {
  const MetricRow& metric = *analysis.metric(analysis.primary);
  std::string text = metric.name;
  std::string about = metric.unit;
  if (metric.better != Better::neither) {
    about += join(about.empty() ? "" : ", ", name_of(metric.better), " is better");
  }
  return about.empty() ? text : text + " (" + about + ")";
}

std::string test_phrase(const Analysis& analysis) {
  const Pairs pairs = pairs_of(analysis);
  std::string text =
      join("paired over ", pairs.minimum < pairs.maximum ? join(pairs.minimum, " to ") : "",
           counted(pairs.maximum, "seed"), ", exact sign-flip test");
  if (analysis.comparisons > 1) {
    text += analysis.correction == statistics::Correction::holm
                ? join(", Holm over ", analysis.comparisons, " comparisons")
                : join(", not corrected for ", analysis.comparisons, " comparisons");
  }
  if (minimum_p(analysis) >= analysis.alpha) {
    text += join("; too few seeds for any ", sharing(analysis) > 1 ? "adjusted " : "", "p below ",
                 significant(analysis.alpha, 3));
  }
  return text;
}

/// What is said of one arm: "is better than mlm by 0.812 ± 0.051".
std::string claim(const Analysis& analysis, const Difference& difference) {
  const std::string& baseline = analysis.baseline()->name;
  switch (difference.verdict) {
    case statistics::Verdict::better:
    case statistics::Verdict::worse:
      return join("is ", name_of(difference.verdict), " than ", baseline, " by ",
                  size_text(difference, true),
                  slight(analysis, difference)
                      ? join(", less than the smallest effect of interest, ",
                             significant(*analysis.smallest_effect))
                      : "");
    case statistics::Verdict::equivalent:
      return join("is equivalent to ", baseline, " within ±",
                  significant(*analysis.smallest_effect), " (difference ",
                  size_text(difference, false), ")");
    case statistics::Verdict::incomparable:
      return join("is not comparable with ", baseline);
    case statistics::Verdict::inconclusive:
      break;
  }
  const std::string why = difference.note.empty() ? "" : "; " + difference.note;
  return join("against ", baseline, " is inconclusive: the difference is ",
              size_text(difference, false), why);
}

std::string one_arm(const Analysis& analysis, const Difference& difference) {
  std::string text =
      join("In ", metric_phrase(analysis), ", ", difference.arm, " ", claim(analysis, difference));
  if (difference.verdict == statistics::Verdict::incomparable)
    return text + ": " + difference.note + ".";
  return join(text, " (", p_phrase(difference), "; ", test_phrase(analysis), ").");
}

/// Whether it could be compared, had any of its trials completed.
bool without_data(const Difference& difference) {
  return difference.verdict != statistics::Verdict::incomparable && difference.over_seeds.n == 0;
}

/// "mlm, fim": the arms of which something is true.
template <typename Test>
std::string arms_where(const Differences& differences, const Test& test) {
  std::string arms;
  for (const Difference* difference : differences)
    if (test(*difference)) arms += join(arms.empty() ? "" : ", ", difference->arm);
  return arms;
}

std::string many_arms(const Analysis& analysis, const Differences& differences) {
  constexpr std::array kOrder = {statistics::Verdict::better, statistics::Verdict::worse,
                                 statistics::Verdict::equivalent, statistics::Verdict::inconclusive,
                                 statistics::Verdict::incomparable};
  std::string text = join("In ", metric_phrase(analysis), ", against ", analysis.baseline()->name);
  const char* separator = ", ";
  for (const statistics::Verdict verdict : kOrder) {
    std::string arms;
    for (const Difference* difference : differences) {
      if (difference->verdict != verdict || without_data(*difference)) continue;
      arms += join(arms.empty() ? " " : ", ", difference->arm);
      if (verdict != statistics::Verdict::incomparable)
        arms += " (" + size_text(*difference, false) + ")";
    }
    if (arms.empty()) continue;
    const bool equivalent = verdict == statistics::Verdict::equivalent;
    text += join(separator, name_of(verdict),
                 equivalent ? " within ±" + significant(*analysis.smallest_effect) : "", ":", arms);
    separator = "; ";
  }
  const std::string none = arms_where(differences, without_data);
  if (!none.empty()) text += join(separator, "no data: ", none);
  const std::string slightly = arms_where(
      differences, [&](const Difference& difference) { return slight(analysis, difference); });
  if (!slightly.empty())
    text += join("; by less than the smallest effect of interest, ",
                 significant(*analysis.smallest_effect), ": ", slightly);
  return text + " (" + test_phrase(analysis) + ").";
}

}  // namespace

std::string answer(const Analysis& analysis) {
  const ArmResult* baseline = analysis.baseline();
  if (baseline == nullptr) return "No arm is the baseline, so no difference was tested.";
  if (analysis.primary.empty()) {
    return "The experiment declared no primary metric, so every difference is exploratory.";
  }
  const Differences differences = primary_differences(analysis);
  if (differences.empty()) {
    return join("No arm can be set against ", baseline->name, " in the primary metric, ",
                analysis.primary, ".");
  }
  if (differences.size() == 1) return one_arm(analysis, *differences.front());
  return many_arms(analysis, differences);
}

std::string method(const Analysis& analysis) {
  if (analysis.baseline() == nullptr || analysis.comparisons == 0) {
    return "Nothing was tested: there is no primary metric in which an arm can be set against the "
           "baseline.";
  }
  const std::int64_t pairs = pairs_of(analysis).maximum;
  std::string text = join(
      "Differences are arm minus baseline at the same seed, which shares initial weights, data "
      "order "
      "and noise. The test is the exact two-sided sign-flip permutation test of ",
      analysis.primary, " at alpha ", significant(analysis.alpha, 3), " over ",
      counted(analysis.comparisons, "comparison"),
      analysis.correction == statistics::Correction::holm ? ", adjusted by Holm's method"
                                                          : ", not adjusted",
      ". An arm is better or worse only if its adjusted p is below alpha and its 95 % t-interval "
      "excludes 0. ");
  if (analysis.smallest_effect) {
    text += join("Two one-sided t-tests against ±", significant(*analysis.smallest_effect),
                 ", adjusted alike, can show an arm equivalent. ");
  }
  const auto effect =
      statistics::minimum_detectable_effect(pairs, analysis.alpha, sharing(analysis));
  if (effect) {
    text += join("With ", counted(pairs, "seed"), " the test finds effects of ",
                 significant(*effect, 3),
                 " standard deviations of the paired difference with power 0.8. ");
  } else {
    text += join("With ", counted(pairs, "seed"), " no p below ", p_text(minimum_p(analysis)),
                 " can come out, so no difference could be found significant. ");
  }
  return text +
         "Every other difference is exploratory: shown with its interval, without a verdict.";
}

}  // namespace ablate::reports
