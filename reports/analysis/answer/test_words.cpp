#include "reports/analysis/answer/test_words.h"

#include <fmt/core.h>

#include "reports/analysis/compare.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string seeds_phrase(const Analysis& analysis) {
  const Pairs pairs = pairs_of(analysis);
  return fmt::format("paired over {}{}, {}",
                     pairs.minimum < pairs.maximum ? fmt::format("{} to ", pairs.minimum) : "",
                     counted(pairs.maximum, "seed"), test_name(analysis));
}

}  // namespace

std::string test_phrase(const Analysis& analysis) {
  if (pairs_of(analysis).maximum == 0) return {};  // nothing was tested
  std::string text = seeds_phrase(analysis);
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

std::string decided_by(const Analysis& analysis, const Difference& difference) {
  if (difference.verdict == statistics::Verdict::incomparable) return {};
  std::string differs =
      fmt::format("{}; {}", p_phrase(difference.p_adjusted), test_phrase(analysis));
  if (difference.verdict != statistics::Verdict::equivalent) return differs;
  return fmt::format("two one-sided t-tests: {}; of a difference: {}",
                     p_phrase(difference.p_equivalent), differs);
}

std::string test_basis(const Analysis& analysis, const std::string& test) {
  const MetricRow& metric = *analysis.metric(analysis.primary);
  std::string text = metric.unit;
  if (metric.better != Better::neither)
    text += fmt::format("{}{} is better", text.empty() ? "" : ", ", name_of(metric.better));
  if (!test.empty()) text += (text.empty() ? "" : "; ") + test;
  return text.empty() ? text : text + ".";
}

}  // namespace ablate::reports
