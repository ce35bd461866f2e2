#include "harness/plan/price/primary.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/names.h"

namespace ablate::plan {
namespace {

constexpr std::size_t kMaxSuggestions = 7;

/// Metrics that could decide an experiment.
struct Deciding {
  std::vector<std::string> names;  // in the order in which probes declare them
  std::size_t compared = 0;        // how many arms each of them compares with the baseline
};

/// The metrics with a better direction that compare the most arms with the baseline.
Deciding deciding(const Experiment& experiment, const MetricsByArm& metrics) {
  Deciding best;
  const auto baseline = metrics.find(experiment.arms[experiment.baseline].name);
  if (baseline == metrics.end()) return best;
  for (const Metric& metric : baseline->second) {
    if (metric.better == Better::neither) continue;
    const std::vector<bool> arms = compared_by(experiment, metrics, metric.name);
    const auto compared = static_cast<std::size_t>(std::count(arms.begin(), arms.end(), true));
    if (compared > best.compared) best = {{}, compared};
    if (compared == best.compared) best.names.push_back(metric.name);
  }
  if (best.compared == 0 && experiment.arms.size() > 1) best.names.clear();
  return best;
}

/// A probe that an experiment does not list and whose metric compares all arms.
struct Addition {
  const ProbeSpec* probe = nullptr;
  std::string metric;
  bool by_default = false;  // with its default settings
};

/// The best probe to add: one that works with default settings, if possible on held-out text that
/// the experiment has anyway. None if no probe's metric compares all arms.
Addition best_addition(const Catalog& catalog, const Experiment& experiment) {
  const auto listed = [&](const ProbeSpec& spec) {
    return std::any_of(experiment.probes.begin(), experiment.probes.end(),
                       [&](const PlannedProbe& probe) { return probe.spec == &spec; });
  };
  const auto rank = [](const Addition& each) {
    if (each.probe == nullptr) return 0;
    return 1 + 2 * each.by_default + each.probe->reads_held_out;
  };
  Addition best;
  for (const ProbeSpec& spec : catalog.probes) {
    if (listed(spec)) continue;
    const Deciding found = deciding(experiment, metrics_of(catalog, experiment, spec));
    if (found.names.empty() || found.compared + 1 < experiment.arms.size()) continue;
    const Addition addition{&spec, found.names.front(),
                            works_by_default(catalog, experiment, spec)};
    if (rank(addition) > rank(best)) best = addition;
  }
  return best;
}

std::string sentence_of(const Addition& addition) {
  return fmt::format(
      "\"primary\": \"{}\", measured by the probe \"{}\", which \"probes\" must list{}",
      addition.metric, addition.probe->name,
      addition.by_default
          ? ""
          : fmt::format("; it needs settings: see ablate describe {}", addition.probe->name));
}

/// What to name as the primary metric.
std::string suggestion_for(const Catalog& catalog, const Experiment& experiment,
                           const MetricsByArm& metrics) {
  if (const auto names = metrics_that_compare_all(experiment, metrics); !names.empty()) {
    std::string text = fmt::format("\"primary\": \"{}\"", names.front());
    if (names.size() > 1)
      text += fmt::format("; or {}", fmt::join(names.begin() + 1, names.end(), ", "));
    return text;
  }
  const Addition addition = best_addition(catalog, experiment);
  if (addition.probe != nullptr) return sentence_of(addition);
  const Deciding listed = deciding(experiment, metrics);
  if (!listed.names.empty())
    return fmt::format("\"primary\": \"{}\", which compares {} of {} arms with the baseline",
                       listed.names.front(), listed.compared, experiment.arms.size() - 1);
  return "no probe measures a metric that may be compared between these arms: compare arms of one "
         "objective";
}

std::vector<std::string_view> names_in(const MetricsByArm& metrics) {
  std::vector<std::string_view> names;
  for (const auto& [arm, list] : metrics)
    for (const Metric& metric : list)
      if (std::find(names.begin(), names.end(), metric.name) == names.end())
        names.push_back(metric.name);
  return names;
}

/// Refuses a smallest effect that no difference in the primary metric can reach: with it, every arm would
/// be equivalent.
void check_smallest_effect(const Experiment& experiment, const MetricsByArm& metrics,
                           Faults& faults) {
  const auto [primary, effect] =
      std::pair(experiment.analysis.primary, experiment.analysis.smallest_effect);
  if (!effect || *effect <= 1) return;
  for (const auto& [arm, list] : metrics)
    for (const Metric& metric : list) {
      if (metric.name != primary || metric.unit != "fraction") continue;
      return faults.add(
          experiment.sources->value_at("/analysis/smallest_effect"),
          fmt::format(
              "the smallest effect of interest is {:g}, and {} is a fraction: no two differ "
              "by more than 1",
              *effect, primary),
          "give it as a fraction: 0.02 are two points of a hundred");
    }
}

/// What to do about a primary metric that no listed probe yields.
std::string remedy_for(const Catalog& catalog, const Experiment& experiment,
                       const MetricsByArm& metrics) {
  const std::string& primary = experiment.analysis.primary;
  for (const ProbeSpec& spec : catalog.probes) {
    const MetricsByArm measured = metrics_of(catalog, experiment, spec);
    const std::vector<std::string_view> its = names_in(measured);
    if (std::find(its.begin(), its.end(), primary) != its.end())
      return fmt::format("the probe \"{}\" measures it: list it under \"probes\"", spec.name);
  }
  const std::vector<std::string_view> names = names_in(metrics);
  const Deciding usable = deciding(experiment, metrics);
  const std::string_view near = closest_match(
      primary, std::vector<std::string_view>(usable.names.begin(), usable.names.end()));
  if (!near.empty())
    return fmt::format("did you mean '{}'? there are: {}", near, fmt::join(names, ", "));
  return suggestion_for(catalog, experiment, metrics);
}

}  // namespace

std::vector<std::string> metrics_that_compare_all(const Experiment& experiment,
                                                  const MetricsByArm& metrics) {
  Deciding found = deciding(experiment, metrics);
  if (found.compared + 1 < experiment.arms.size() || experiment.arms.size() < 2) return {};
  if (found.names.size() > kMaxSuggestions) found.names.resize(kMaxSuggestions);
  return found.names;
}

void check_primary(const Catalog& catalog, const Experiment& experiment,
                   const MetricsByArm& metrics, Faults& faults) {
  const bool known = !experiment.corpus_kind.empty();
  const Json* const given = find_pointer(experiment.analysis.section, "/primary");
  if (experiment.several_arms && (given == nullptr || *given == "")) {
    std::string hint = "several arms are compared by one metric, chosen before the run";
    if (known && experiment.arms.size() > 1)  // those that were not refused
      hint += ": " + suggestion_for(catalog, experiment, metrics);
    faults.add(experiment.sources->addition_to("/analysis"), "\"analysis\" names no primary metric",
               std::move(hint));
  }
  const std::string& primary = experiment.analysis.primary;
  if (primary.empty() || !known || !experiment.complete) return;
  check_smallest_effect(experiment, metrics, faults);
  const std::vector<std::string_view> names = names_in(metrics);
  if (std::find(names.begin(), names.end(), primary) != names.end()) return;
  faults.add(
      experiment.sources->value_at("/analysis/primary"),
      fmt::format("no probe of this experiment yields the metric '{}'", primary.substr(0, 80)),
      remedy_for(catalog, experiment, metrics));
}

}  // namespace ablate::plan
