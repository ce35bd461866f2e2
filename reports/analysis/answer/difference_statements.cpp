#include "reports/analysis/answer/difference_statements.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/analysis/answer/difference_kinds.h"
#include "reports/analysis/answer/test_words.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

using Differences = std::vector<const Difference*>;
using statistics::Verdict;

constexpr std::size_t kMaxSizes = 3;  // differences whose sizes a sentence can hold, one by one
constexpr std::size_t kMaxNames = 4;  // arms of which the same is said, by name

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

/// "0.028 ± 0.016 nats/target". A fraction needs no unit.
std::string size_text(const Analysis& analysis, const Difference& difference, bool absolute) {
  if (!difference.over_seeds.mean) return "no pairs";
  Rounded number = rounded(*difference.over_seeds.mean, difference.over_seeds.interval);
  if (absolute && number.mean.starts_with('-')) number.mean.erase(0, 1);
  const std::string& unit = analysis.metric(analysis.primary)->unit;
  return number.text() + (unit.empty() || unit == "fraction" ? "" : " " + unit);
}

/// "lower by 0.028 ± 0.016 nats/target".
std::string shift_text(const Analysis& analysis, const Difference& difference) {
  const double seen = difference.over_seeds.mean.value_or(0);
  if (seen == 0) return "no difference";
  return fmt::format("{} by {}", seen < 0 ? "lower" : "higher",
                     size_text(analysis, difference, true));
}

/// " (one; other)" of the parts that are not empty; empty where all are.
std::string bracketed(const std::string& one, const std::string& other) {
  if (one.empty() && other.empty()) return {};
  return fmt::format(" ({}{}{})", one, one.empty() || other.empty() ? "" : "; ", other);
}

std::string one_arm(const Analysis& analysis, const Difference& difference) {
  const DifferenceKind kind = kind_of(analysis, difference);
  std::string text =
      fmt::format("{} {} {} {}{}{}", analysis.label(difference.arm), kind.one, kind.to,
                  analysis.baseline()->label, kind.rest, bracketed(kind.aside, ""));
  if (difference.verdict == Verdict::better || difference.verdict == Verdict::worse)
    return fmt::format("{}: {}", text, shift_text(analysis, difference));
  if (difference.verdict == Verdict::incomparable || is_without_data(difference)) return text;
  return fmt::format("{}: the difference is {}", text, size_text(analysis, difference, false));
}

/// Arms of which the same is said.
struct Group {
  DifferenceKind kind;
  Differences differences;
};

std::vector<Group> groups_of(const Analysis& analysis, Differences differences) {
  std::ranges::stable_sort(
      differences, {}, [&](const Difference* each) { return place_in_answer(analysis, *each); });
  std::vector<Group> groups;
  for (const Difference* difference : differences) {
    DifferenceKind kind = kind_of(analysis, *difference);
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.kind.one == kind.one && group.kind.rest == kind.rest &&
             group.kind.aside == kind.aside;
    });
    if (same != groups.end())
      same->differences.push_back(difference);
    else
      groups.push_back({std::move(kind), {difference}});
  }
  return groups;
}

/// "9 other arms"; "8 arms compared" where not all others are.
std::string all_of_them(const Analysis& analysis, std::size_t compared) {
  return fmt::format("{} {}", compared,
                     compared + 1 == analysis.arms.size() ? "other arms" : "arms compared");
}

/// Whether the sizes of a group's differences stand beside its arms, or as a range after them.
bool each_size(const Group& group, std::size_t compared) {
  return compared <= kMaxSizes || group.differences.size() == 2;
}

/// The arms of a group, of `compared` arms: "mlm (lower by 0.3 ± 0.1) and fim (lower by 0.2 ± 0.1)". Of many the
/// names and the sizes are left to the table and the drawing: "7 arms", "all 9 other arms".
std::string arms_of(const Analysis& analysis, const Group& group, std::size_t compared) {
  if (compared > kMaxSizes && group.differences.size() == compared)
    return fmt::format("all {}", all_of_them(analysis, compared));
  if (group.differences.size() > kMaxNames) return fmt::format("{} arms", group.differences.size());
  std::vector<std::string> arms;
  for (const Difference* difference : group.differences) {
    arms.push_back(analysis.label(difference->arm));
    if (each_size(group, compared) && difference->over_seeds.mean &&
        difference->verdict != Verdict::incomparable)
      arms.back() += fmt::format(" ({})", shift_text(analysis, *difference));
  }
  return listed(arms);
}

/// "means higher by 0.021 to 0.83 nats/target", "means from 0.08 lower to 0.07 higher": the range of the differences
/// seen, of one arm with its interval; empty where there are none.
std::string range_text(const Analysis& analysis, const Differences& differences) {
  std::vector<double> seen;
  for (const Difference* difference : differences)
    if (difference->over_seeds.mean) seen.push_back(*difference->over_seeds.mean);
  if (seen.empty() || differences.front()->verdict == Verdict::incomparable) return {};
  if (differences.size() == 1) return shift_text(analysis, *differences.front());
  const auto [least, most] = std::ranges::minmax(seen);
  const bool one_seed = std::ranges::all_of(
      differences, [](const Difference* difference) { return difference->over_seeds.n <= 1; });
  const char* const what = one_seed ? "differences" : "means";
  const std::string& unit = analysis.metric(analysis.primary)->unit;
  const std::string words = unit.empty() || unit == "fraction" ? "" : " " + unit;
  const auto digits = [](double value) { return significant(std::abs(value), 2); };
  if (least == 0 && most == 0) return "no difference";
  if (least < 0 && most > 0)
    return fmt::format("{} from {} lower to {}{} higher", what, digits(least), digits(most), words);
  const auto [small, large] = std::minmax({std::abs(least), std::abs(most)});
  const std::string range = digits(small) == digits(large)
                                ? digits(large)
                                : fmt::format("{} to {}", digits(small), digits(large));
  return fmt::format("{} {} by {}{}", what, most > 0 ? "higher" : "lower", range, words);
}

/// "mlm and fim are worse than clm".
std::string clause(const Analysis& analysis, const Group& group, std::size_t compared) {
  const DifferenceKind& kind = group.kind;
  const std::size_t arms = group.differences.size();
  const std::string range =
      each_size(group, compared) ? std::string() : range_text(analysis, group.differences);
  const std::string rest = fmt::format(" {} {}{}{}", kind.to, analysis.baseline()->label, kind.rest,
                                       bracketed(range, kind.aside));
  // "all arms are not" may be read as "not all arms are".
  for (const auto& [negative, positive] : {std::pair{"is not ", "is "}, {"cannot ", "can "}})
    if (arms == compared && compared > kMaxSizes && kind.one.starts_with(negative))
      return fmt::format("none of the {} {}{}{}", all_of_them(analysis, arms), positive,
                         kind.one.substr(std::string_view(negative).size()), rest);
  return fmt::format("{} {}{}", arms_of(analysis, group, compared),
                     arms == 1 ? kind.one : kind.many, rest);
}

std::string many_arms(const Analysis& analysis, const Differences& differences) {
  std::string text;
  for (const Group& group : groups_of(analysis, differences))
    text += (text.empty() ? "" : "; ") + clause(analysis, group, differences.size());
  return text;
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

}  // namespace

Statement difference_statement(const Analysis& analysis) {
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
        fmt::format("No arm can {}be compared with {} in the primary metric, {}.",
                    analysis.arms_with_records().size() < analysis.arms.size() ? "yet " : "",
                    baseline->label, analysis.primary),
        "the differences", {"differences"});
  const auto of_baseline = baseline->metrics.find(analysis.primary);
  if (of_baseline == baseline->metrics.end() || of_baseline->second.n == 0)
    return stated(fmt::format("Nothing can be compared: the baseline, {}, has no value in {}.",
                              baseline->label, analysis.metric_label(analysis.primary)),
                  "the arms", {"arms"});
  const bool alone = differences.size() == 1;
  const bool undecided = std::ranges::all_of(differences, [](const Difference* difference) {
    return difference->verdict == Verdict::inconclusive && !is_without_data(*difference);
  });
  return {
      .text = fmt::format(
          "{} {}, {}.", undecided ? "Undecided: in" : "In", analysis.metric_label(analysis.primary),
          alone ? one_arm(analysis, *differences.front()) : many_arms(analysis, differences)),
      .query = query_of(analysis, differences),
      .basis = test_basis(
          analysis, alone ? decided_by(analysis, *differences.front()) : test_phrase(analysis))};
}

}  // namespace ablate::reports
