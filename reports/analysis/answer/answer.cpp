#include "reports/analysis/answer/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/answer/floor_statements.h"
#include "reports/analysis/answer/size_statements.h"
#include "reports/analysis/answer/trend_statements.h"
#include "reports/analysis/compare.h"
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
      return fmt::format(
          "is {} than {} by {}{}", name_of(difference.verdict), baseline,
          size_text(difference, true),
          slight(analysis, difference)
              ? fmt::format(", an estimate below the smallest effect of interest, {}",
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
    text += fmt::format("; estimate below the smallest effect of interest, {}: {}",
                        significant(*analysis.smallest_effect), slightly);
  return text + " (" + test_phrase(analysis) + ").";
}

/// The differences that a statement is on, and their test.
Query query_of(const Analysis& analysis, const Differences& differences) {
  Query query{.metric = analysis.primary,
              .arms = {analysis.baseline()->name},
              .test = test_phrase(analysis)};
  for (const Difference* difference : differences) {
    query.arms.push_back(difference->arm);
    query.origins.push_back(origin_of(analysis, *difference));
  }
  query.seeds = seeds_of(analysis, query.arms, query.metric);
  query.sql = values_sql(analysis, query.arms, query.metric);
  return query;
}

/// A statement on what report.json has at one place.
Statement stated(std::string text, std::string label, const std::vector<std::string>& path) {
  return {std::move(text), {.origins = {{std::move(label), path_to(path), ""}}}};
}

Statement by_differences(const Analysis& analysis) {
  const ArmResult* baseline = analysis.baseline();
  if (baseline == nullptr)
    return stated("No arm is the baseline, so no difference was tested.", "the arms", {"arms"});
  if (analysis.primary.empty())
    return stated("The experiment declared no primary metric, so every difference is exploratory.",
                  "the declared analysis", {"analysis"});
  if (baseline->pending())
    return stated(
        fmt::format("Nothing can be compared yet: no trial of the baseline, {}, has ended.",
                    baseline->label),
        "the arms", {"arms"});
  const Differences differences = primary_differences(analysis);
  if (differences.empty())
    return stated(
        fmt::format("No arm can {}be set against {} in the primary metric, {}.",
                    analysis.arms_with_records().size() < analysis.arms.size() ? "yet " : "",
                    baseline->label, analysis.primary),
        "the differences", {"differences"});
  return {differences.size() == 1 ? one_arm(analysis, *differences.front())
                                  : many_arms(analysis, differences),
          query_of(analysis, differences)};
}

}  // namespace

std::vector<Statement> answer_statements(const Analysis& analysis) {
  std::vector<Statement> statements = floor_statements(analysis);
  statements.push_back(by_differences(analysis));
  for (Statement& sizes : size_statements(analysis)) statements.push_back(std::move(sizes));
  for (Statement& trend : trend_statements(analysis)) statements.push_back(std::move(trend));
  return statements;
}

std::string answer(const Analysis& analysis) { return text_of(answer_statements(analysis)); }

}  // namespace ablate::reports
