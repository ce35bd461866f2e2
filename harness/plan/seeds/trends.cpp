#include "harness/plan/seeds/trends.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/names.h"
#include "harness/plan/file/declared_trends.h"

namespace ablate::plan {
namespace {

std::vector<Json> sections_of(const Experiment& experiment) {
  std::vector<Json> sections;
  for (const ResolvedArm& arm : experiment.arms)
    sections.push_back({{"model", arm.model}, {"objective", arm.objective}, {"train", arm.train}});
  return sections;
}

std::vector<NamedSections> named(const Experiment& experiment, const std::vector<Json>& sections) {
  std::vector<NamedSections> arms;
  for (std::size_t i = 0; i < sections.size(); ++i)
    arms.push_back({experiment.arms[i].name, &sections[i]});
  return arms;
}

std::vector<TrendFamily> families_in(const Experiment& experiment, const DeclaredTrend& trend) {
  const std::vector<Json> sections = sections_of(experiment);
  return families_of(trend, named(experiment, sections));
}

/// The numbers that a trend can be along: paths that arms set and that tell three of them apart.
std::vector<std::string> swept_numbers(const Experiment& experiment) {
  std::set<std::string> paths;
  for (const ResolvedArm& arm : experiment.arms)
    for (const Assignment& made : arm.assignments)
      if (made.value.is_number()) paths.insert(made.path);
  std::vector<std::string> numbers;
  for (const std::string& path : paths)
    if (!families_in(experiment, {.along = path, .of = {}, .metric = {}}).empty())
      numbers.push_back(path);
  return numbers;
}

/// Whether the metric may be compared between all arms of the family.
bool may_compare(const Experiment& experiment, const MetricsByArm& metrics,
                 const std::string& metric, const TrendFamily& family) {
  const std::size_t first = family.members.front().arm;
  return std::all_of(family.members.begin(), family.members.end(), [&](const SweptValue& each) {
    return compares(experiment, metrics, metric, first, each.arm);
  });
}

/// What is wrong with a trend, and where: the key of its entry; empty if nothing is.
struct Wrong {
  std::string key;
  std::string message;
  std::string hint;
};

Wrong nothing_swept(const Experiment& experiment, const DeclaredTrend& trend) {
  const std::vector<std::string> numbers = swept_numbers(experiment);
  const std::vector<std::string_view> names(numbers.begin(), numbers.end());
  const bool swept = std::find(names.begin(), names.end(), trend.along) != names.end();
  if (swept)
    return {"of",
            fmt::format("no arms of '{}' sweep over three values of {}", trend.of, trend.along),
            "name the entry of \"arms\" that does, or leave out \"of\""};
  return {"along",
          fmt::format("no arms sweep over three values of '{}' or more", trend.along.substr(0, 80)),
          names.empty() ? "a trend needs arms that \"grid\", \"zip\" or \"list\" makes and that "
                          "differ in one number"
                        : suggestion(trend.along, names, "there are")};
}

Wrong wrong_with(const Experiment& experiment, const MetricsByArm& metrics,
                 const std::vector<DeclaredTrend>& trends, std::size_t index) {
  const DeclaredTrend& trend = trends[index];
  const auto end = trends.begin() + static_cast<std::ptrdiff_t>(index);
  if (std::find(trends.begin(), end, trend) != end) return {"along", "is declared twice", ""};
  const std::vector<TrendFamily> families = families_in(experiment, trend);
  if (families.empty()) return nothing_swept(experiment, trend);
  for (const TrendFamily& family : families)
    if (!may_compare(experiment, metrics, trend.metric, family))
      return {"metric",
              fmt::format("'{}' is not measured on all arms of '{}', or may not be compared "
                          "between them",
                          trend.metric.substr(0, 80), family.entry),
              "a trend needs one metric with one meaning in all arms; see ablate plan FILE"};
  return {};
}

}  // namespace

void check_trends(const Experiment& experiment, const MetricsByArm& metrics, Faults& faults) {
  if (metrics.empty() || !experiment.complete) return;
  const std::vector<DeclaredTrend> trends = declared_trends(experiment.analysis.section);
  for (std::size_t i = 0; i < trends.size() && !faults.full(); ++i) {
    const auto [key, message, hint] = wrong_with(experiment, metrics, trends, i);
    if (key.empty()) continue;
    faults.add(experiment.sources->value_at(fmt::format("/analysis/trends/{}/{}", i, key)),
               fmt::format("analysis: trends: {}", message), hint);
  }
}

std::int64_t count_trends(const Experiment& experiment) {
  std::size_t count = 0;
  for (const DeclaredTrend& trend : declared_trends(experiment.analysis.section))
    count += std::max<std::size_t>(1, families_in(experiment, trend).size());
  return static_cast<std::int64_t>(count);
}

}  // namespace ablate::plan
