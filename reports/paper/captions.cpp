#include "reports/paper/captions.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "reports/analysis/compare.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/matching.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "held-out loss (nats/target, lower is better)".
std::string metric_words(const MetricRow& metric) {
  std::vector<std::string> about;
  if (!metric.unit.empty()) about.push_back(metric.unit);
  if (metric.better != Better::neither)
    about.push_back(fmt::format("{} is better", name_of(metric.better)));
  return about.empty() ? metric.label
                       : fmt::format("{} ({})", metric.label, fmt::join(about, ", "));
}

std::string test_sentence(const Analysis& analysis) {
  if (analysis.baseline() == nullptr || analysis.comparisons == 0) return "";
  std::string text = fmt::format(
      " Differences are arm less {}, paired by seed; p: {}{}.", analysis.baseline()->label,
      test_name(analysis),
      sharing(analysis) > 1 ? ", adjusted by Holm's method over " + family_text(analysis) : "");
  if (analysis.looks)
    text +=
        fmt::format(" The test counts {} of {} planned; intervals of differences have its level.",
                    counted(static_cast<std::int64_t>(analysis.looks->complete), "look"),
                    analysis.looks->seeds.size());
  if (analysis.smallest_effect)
    text += fmt::format(
        " Equivalence: two one-sided t-tests against the smallest effect of interest, ±{}.",
        significant(*analysis.smallest_effect));
  return text;
}

}  // namespace

std::string ranges(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    parts.push_back(end - i < 3 ? std::to_string(numbers[i])
                                : fmt::format("{}–{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::int64_t> seeds_of(const Analysis& analysis) {
  std::set<std::int64_t> seeds;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) seeds.insert(trial->seed);
  return {seeds.begin(), seeds.end()};
}

std::string main_caption(const Analysis& analysis) {
  const std::vector<std::int64_t> seeds = seeds_of(analysis);
  std::string text = analysis.question.empty() ? analysis.experiment + "." : analysis.question;
  if (const MetricRow* primary = analysis.metric(analysis.primary))
    text += fmt::format(" The primary metric is {}.", metric_words(*primary));
  text += fmt::format(
      " Values are means ± half-widths of 95 % t-intervals over {} ({}); ↓: lower is better, ↑: "
      "higher is better.",
      counted(std::ssize(seeds), "seed"), ranges(seeds));
  text += test_sentence(analysis) + " " + matching(analysis.plan);
  const std::vector<std::string> commits = recorded(analysis, "commit");
  if (!commits.empty()) text += fmt::format(" Commit {} of ablate.", fmt::join(commits, ", "));
  return text;
}

}  // namespace ablate::reports
