#include "reports/analysis/method.h"

#include <fmt/core.h>

#include "harness/statistics/power.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/text/number.h"

namespace ablate::reports {

std::string method(const Analysis& analysis) {
  if (analysis.baseline() == nullptr || analysis.comparisons == 0) {
    return "Nothing was tested: there is no primary metric in which an arm can be compared with "
           "the baseline.";
  }
  const std::int64_t pairs = pairs_of(analysis).maximum;
  const std::string rounding =
      analysis.looks ? looks_sentence(analysis) : rounding_sentence(analysis);
  std::string text = fmt::format(
      "Differences are arm minus baseline at the same seed, which shares initial weights, data "
      "order, noise and probe documents. The test is the {}two-sided sign-flip permutation test of "
      "{} at alpha {} over {}{}. {}An arm is better or worse only if its adjusted p is below alpha "
      "and its {} excludes 0{}. ",
      rounding.empty() ? "exact " : "", analysis.metric_label(analysis.primary),
      significant(analysis.alpha, 3), family_text(analysis),
      analysis.correction == statistics::Correction::holm ? ", adjusted by Holm's method"
                                                          : ", not adjusted",
      rounding.empty() ? "" : rounding + " ", interval_name(analysis),
      analysis.declared_trends.empty() ? "" : "; so does a declared trend rise, fall or bend");
  if (analysis.smallest_effect) {
    text += fmt::format(
        "Two one-sided t-tests against ±{}, adjusted in the same way, can show an arm equivalent. ",
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
