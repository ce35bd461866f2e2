// Lists the metrics of each arm, and states what the planned comparisons can show.

#include "harness/plan/price/power.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/names.h"
#include "harness/base/number_text.h"
#include "harness/plan/prepare/phase_probes.h"
#include "harness/statistics/paired.h"
#include "harness/statistics/power.h"
#include "harness/statistics/sign_flip.h"

namespace ablate::plan {
namespace {

/// The strictest comparability that any arm declares for a metric. The report uses it for all arms.
Comparable comparable_across(const MetricsByArm& metrics, const std::string& name) {
  Comparable strictest = Comparable::all_arms;
  for (const auto& [arm, list] : metrics)
    for (const Metric& metric : list)
      if (metric.name == name) strictest = std::min(strictest, metric.comparable_across);
  return strictest;
}

bool yields(const std::vector<Metric>& metrics, const std::string& name) {
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const Metric& metric) { return metric.name == name; });
}

ObjectiveSetting objective_of(const ResolvedArm& arm) {
  return {arm.objective_spec->name, arm.objective};
}

/// Whether the primary metric of an arm may be compared with the baseline's.
bool has_comparison(const Experiment& experiment, const MetricsByArm& metrics,
                    const ResolvedArm& arm) {
  const ResolvedArm& baseline = experiment.arms[experiment.baseline];
  const std::string& primary = experiment.analysis.primary;
  if (!yields(metrics.at(arm.name), primary) || !yields(metrics.at(baseline.name), primary))
    return false;
  return comparable(comparable_across(metrics, primary), objective_of(arm), objective_of(baseline));
}

double family_alpha(const Comparison& analysis, std::int64_t comparisons) {
  return analysis.correction == statistics::Correction::holm
             ? analysis.alpha / static_cast<double>(comparisons)
             : analysis.alpha;
}

void check_primary(const Experiment& experiment, const MetricsByArm& metrics, Faults& faults) {
  const std::string& primary = experiment.analysis.primary;
  if (primary.empty()) return;
  std::vector<std::string_view> names;
  for (const auto& [arm, list] : metrics)
    for (const Metric& metric : list) {
      const std::string_view name = metric.name;
      if (name == primary) return;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  const std::string_view near = closest_match(primary, names);
  faults.add(
      experiment.sources->value_at("/analysis/primary"),
      fmt::format("no probe of this experiment yields the metric '{}'", primary.substr(0, 80)),
      names.empty() ? "list the probe that measures it under \"probes\""
      : near.empty()
          ? fmt::format("there are: {}", fmt::join(names, ", "))
          : fmt::format("did you mean '{}'? there are: {}", near, fmt::join(names, ", ")));
}

Json metric_json(const Metric& metric) {
  Json json = {{"name", metric.name},
               {"unit", metric.unit},
               {"better", name_of(metric.better)},
               {"comparable_across", name_of(metric.comparable_across)},
               {"meaning", metric.description}};
  if (!metric.caveat.empty()) json.emplace("caveat", metric.caveat);
  return json;
}

}  // namespace

MetricsByArm metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  MetricsByArm metrics;
  const bool language = experiment.corpus_kind == "language";
  for (const ResolvedArm& arm : experiment.arms) {
    const auto [objective, params] = resolve_objective(catalog, arm.objective);
    const ProbedArm probed{*objective, params, arm.backbone->offer, language};
    std::vector<Metric>& of_arm = metrics[arm.name];
    for (std::size_t i = 0; i < experiment.probes.size(); ++i) {
      const PlannedProbe& probe = experiment.probes[i];
      const auto refusal = probe.spec->refusal;
      const std::string wrong = refusal == nullptr ? "" : refusal(probe.params, probed);
      if (!wrong.empty())
        faults.add(experiment.sources->value_at(fmt::format("/probes/{}", i)),
                   fmt::format("probe '{}': {}", probe.spec->name, wrong));
      for (Metric& metric : metrics_of_arm(catalog, *probe.spec, arm, probed))
        of_arm.push_back(std::move(metric));
    }
  }
  for (std::size_t i = 0; i < experiment.probes.size(); ++i)
    check_phase_probe(experiment, *experiment.probes[i].spec, i, faults);
  check_primary(experiment, metrics, faults);
  return metrics;
}

Json metrics_json(const MetricsByArm& metrics) {
  Json json = Json::object();
  for (const auto& [arm, list] : metrics) {
    Json& of_arm = json.emplace(arm, Json::array()).first.value();
    for (const Metric& metric : list) of_arm.push_back(metric_json(metric));
  }
  return json;
}

std::int64_t count_comparisons(const Experiment& experiment, const MetricsByArm& metrics) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i)
    if (i != experiment.baseline && has_comparison(experiment, metrics, experiment.arms[i]))
      ++count;
  return count;
}

std::string power_sentence(const Experiment& experiment, std::int64_t comparisons) {
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  if (comparisons == 0)
    return "The experiment compares no arm with its baseline: the seeds only give intervals.";
  const Comparison& analysis = experiment.analysis;
  const bool corrected = comparisons > 1 && analysis.correction == statistics::Correction::holm;
  const double alpha = analysis.alpha;
  const double needed = family_alpha(analysis, comparisons);
  const std::string setting = fmt::format(
      "{}{} and {}{} at alpha {:g}{}", seeds, seeds == 1 ? " seed" : " seeds", comparisons,
      comparisons == 1 ? " comparison" : " comparisons", alpha, corrected ? " under Holm" : "");
  if (statistics::minimum_sign_flip_p(seeds) >= needed) {  // a report asks for p below alpha
    std::int64_t enough = seeds + 1;
    while (statistics::minimum_sign_flip_p(enough) >= needed) ++enough;
    return fmt::format(
        "With {}, no difference can be significant: the smallest p of the sign-flip test is {}, "
        "and it must be below {}. Take {} seeds or more, or read only the intervals.",
        setting, significant(statistics::minimum_sign_flip_p(seeds), 2), significant(needed, 2),
        enough);
  }
  const auto effect =
      statistics::minimum_detectable_effect(seeds, alpha, corrected ? comparisons : 1);
  const std::string finds = effect ? fmt::format(
                                         "finds, with power .8, differences of {} standard "
                                         "deviations of the paired difference or more",
                                         significant(*effect, 3))
                                   : "finds no difference with power .8, however large it is";
  return fmt::format("With {}, the sign-flip test can reach significance and {}.", setting, finds);
}

std::vector<std::string> warnings_of(const Experiment& experiment, const MetricsByArm& metrics,
                                     const std::vector<Price>& prices) {
  std::vector<std::string> warnings = experiment.warnings;
  const std::string& primary = experiment.analysis.primary;
  std::string apart, repeated;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const std::string& name = experiment.arms[i].name;
    if (i != experiment.baseline && !has_comparison(experiment, metrics, experiment.arms[i]))
      apart += (apart.empty() ? "'" : ", '") + name + "'";
    if (prices[i].max_passes > 1)
      repeated += fmt::format("{}{}' ({} epochs)", repeated.empty() ? "'" : ", '", name,
                              significant(prices[i].max_passes, 2));
  }
  if (!apart.empty() && !primary.empty())
    warnings.push_back(
        fmt::format("the primary metric {} is not comparable between the baseline and {}: no "
                    "difference is tested there",
                    primary, apart));
  if (!repeated.empty())
    warnings.push_back(fmt::format("a corpus is read more than once by {}", repeated));
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  const std::int64_t comparisons = count_comparisons(experiment, metrics);
  if (comparisons > 0 &&
      statistics::minimum_sign_flip_p(seeds) >= family_alpha(experiment.analysis, comparisons))
    warnings.push_back(power_sentence(experiment, comparisons));
  if (comparisons > 0 && experiment.analysis.section.value("smallest_effect", Json()).is_null())
    warnings.push_back(
        "no smallest effect of interest is stated: a difference of any size may be called better "
        "or worse, and none equivalent; state one as analysis.smallest_effect");
  for (std::size_t i = 0; i < prices.size(); ++i)
    for (const PhasePrice& phase : prices[i].phases)
      for (const std::string& shortfall : phase.shortfalls)
        warnings.push_back(fmt::format("arm '{}': {}", experiment.arms[i].name, shortfall));
  if (seeds < 5)
    warnings.push_back(
        fmt::format("fewer than 5 seeds: with {}, intervals are wide and often wrong", seeds));
  const auto timed = [](const Price& price) { return price.seconds > 0; };
  if (std::any_of(prices.begin(), prices.end(), timed))
    warnings.push_back(
        "a budget in seconds is not deterministic: the same trial takes another number of steps on "
        "another machine");
  std::string started;
  for (const ResolvedArm& arm : experiment.arms)
    if (arm.start) started += fmt::format("{}{}'", started.empty() ? "'" : ", '", arm.name);
  if (!started.empty())
    warnings.push_back(
        fmt::format("training starts from trained weights in {}: seeds of these arms differ only "
                    "in data order and noise, they share no initial weights with arms that start "
                    "from random weights, and the cost of the trained weights is in no ledger",
                    started));
  if (experiment.probes.empty())
    warnings.push_back("no probes: nothing is measured on the trained models");
  return warnings;
}

}  // namespace ablate::plan
