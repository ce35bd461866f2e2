#include "harness/plan/price/power.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/base/number_text.h"
#include "harness/plan/resolve/phase_probes.h"
#include "harness/statistics/paired.h"
#include "harness/statistics/power.h"
#include "harness/statistics/sign_flip.h"

namespace ablate::plan {
namespace {

/// The strictest that any arm declares of a metric: the report compares all of them by it.
Comparable comparable_across(const Json& metrics, const std::string& name) {
  Comparable strictest = Comparable::all_arms;
  for (const auto& [arm, list] : metrics.items())
    for (const Json& metric : list)
      if (metric["name"] == name)
        strictest = std::min(
            strictest, comparable_from(metric["comparable_across"].get_ref<const std::string&>()));
  return strictest;
}

bool yields(const Json& metrics, const std::string& arm, const std::string& name) {
  const Json& list = metrics[arm];
  return std::any_of(list.begin(), list.end(),
                     [&](const Json& metric) { return metric["name"] == name; });
}

ObjectiveSetting objective_of(const ResolvedArm& arm) {
  return {arm.objective["type"].get_ref<const std::string&>(), arm.objective};
}

/// Whether the primary metric of an arm may be differenced with the baseline's.
bool has_comparison(const Experiment& experiment, const Json& metrics, const ResolvedArm& arm) {
  const ResolvedArm& baseline = experiment.arms[experiment.baseline];
  const std::string primary = experiment.analysis.value("primary", "");
  if (!yields(metrics, arm.name, primary) || !yields(metrics, baseline.name, primary)) return false;
  return comparable(comparable_across(metrics, primary), objective_of(arm), objective_of(baseline));
}

double family_alpha(const Experiment& experiment, std::int64_t comparisons) {
  const double alpha = experiment.analysis["alpha"];
  return experiment.analysis["correction"] == "holm" ? alpha / static_cast<double>(comparisons)
                                                     : alpha;
}

bool is_language(const Experiment& experiment) { return experiment.corpus["kind"] == "language"; }

void check_primary(const Experiment& experiment, const Json& metrics, Faults& faults) {
  const std::string primary = experiment.analysis.value("primary", "");
  if (primary.empty()) return;
  std::vector<std::string_view> names;
  for (const auto& [arm, list] : metrics.items())
    for (const Json& metric : list) {
      const std::string_view name = metric["name"].get_ref<const std::string&>();
      if (name == primary) return;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  const std::string_view near = closest_match(primary, names);
  faults.add(experiment.sources->value_at("/analysis/primary"),
             join("no probe of this experiment yields the metric '", primary.substr(0, 80), "'"),
             names.empty()  ? "list the probe that measures it under \"probes\""
             : near.empty() ? join("there are: ", listed(names))
                            : join("did you mean '", near, "'? there are: ", listed(names)));
}

Json metric_json(const Metric& metric) {
  Json json = {{"name", metric.name},
               {"unit", metric.unit},
               {"better", name_of(metric.better)},
               {"comparable_across", name_of(metric.comparable_across)},
               {"meaning", metric.description}};
  if (!metric.caveat.empty()) json["caveat"] = metric.caveat;
  return json;
}

}  // namespace

Json metrics_of(const Catalog& catalog, const Experiment& experiment, Faults& faults) {
  Json metrics = Json::object();
  const bool language = is_language(experiment);
  for (const ResolvedArm& arm : experiment.arms) {
    const ObjectiveSpec& objective = catalog.objective(arm.objective["type"].get<std::string>());
    const Params params = params_of(objective_section(catalog), arm.objective);
    const ProbedArm probed{objective, params,
                           catalog.backbone(arm.model["backbone"].get<std::string>()).offer,
                           language};
    Json& list = metrics[arm.name] = Json::array();
    for (std::size_t i = 0; i < experiment.probes.size(); ++i) {
      const Json& probe = experiment.probes[i];
      const ProbeSpec& spec = catalog.probe(probe["type"].get<std::string>());
      const std::string wrong =
          spec.refusal == nullptr ? ""
                                  : spec.refusal(params_of(probe_section(catalog), probe), probed);
      if (!wrong.empty())
        faults.add(experiment.sources->value_at(join("/probes/", i)),
                   join("probe '", spec.name, "': ", wrong));
      for (const Metric& metric : metrics_of_arm(catalog, spec, arm, probed))
        list.push_back(metric_json(metric));
    }
  }
  for (std::size_t i = 0; i < experiment.probes.size(); ++i)
    check_phase_probe(experiment, catalog.probe(experiment.probes[i]["type"].get<std::string>()), i,
                      faults);
  check_primary(experiment, metrics, faults);
  return metrics;
}

std::int64_t count_comparisons(const Experiment& experiment, const Json& metrics) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i)
    if (i != experiment.baseline && has_comparison(experiment, metrics, experiment.arms[i]))
      ++count;
  return count;
}

std::string power_sentence(const Experiment& experiment, std::int64_t comparisons) {
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  if (comparisons == 0)
    return "The experiment compares no arm with its baseline: the seeds give intervals alone.";
  const bool corrected = comparisons > 1 && experiment.analysis["correction"] == "holm";
  const double alpha = experiment.analysis["alpha"];
  const double needed = family_alpha(experiment, comparisons);
  const std::string setting = join(seeds, seeds == 1 ? " seed" : " seeds", " and ", comparisons,
                                   comparisons == 1 ? " comparison" : " comparisons", " at alpha ",
                                   alpha, corrected ? " under Holm" : "");
  if (statistics::minimum_sign_flip_p(seeds) >= needed) {  // a report asks for p below alpha
    std::int64_t enough = seeds + 1;
    while (statistics::minimum_sign_flip_p(enough) >= needed) ++enough;
    return join("With ", setting,
                ", no difference can be significant: the least p of the sign-flip test is ",
                significant(statistics::minimum_sign_flip_p(seeds), 2), " and less than ",
                significant(needed, 2), " is needed. Take ", enough,
                " seeds or more, or read the intervals alone.");
  }
  const auto effect =
      statistics::minimum_detectable_effect(seeds, alpha, corrected ? comparisons : 1);
  const std::string finds =
      effect ? join("finds, with power .8, differences of ", significant(*effect, 3),
                    " standard deviations of the paired difference or more")
             : "finds no difference with power .8, however large";
  return join("With ", setting, ", the sign-flip test can reach significance and ", finds, ".");
}

std::vector<std::string> warnings_of(const Experiment& experiment, const Json& metrics,
                                     const std::vector<Price>& prices) {
  std::vector<std::string> warnings = experiment.warnings;
  const std::string primary = experiment.analysis.value("primary", "");
  std::string apart, repeated;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const std::string& name = experiment.arms[i].name;
    if (i != experiment.baseline && !has_comparison(experiment, metrics, experiment.arms[i]))
      apart += (apart.empty() ? "'" : ", '") + name + "'";
    if (prices[i].max_passes > 1)
      repeated += join(repeated.empty() ? "'" : ", '", name, "' (",
                       significant(prices[i].max_passes, 2), " epochs)");
  }
  if (!apart.empty() && !primary.empty())
    warnings.push_back(join("the primary metric ", primary,
                            " is not comparable between the baseline and ", apart,
                            ": no difference is tested there"));
  if (!repeated.empty()) warnings.push_back(join("text is read more than once by ", repeated));
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  const std::int64_t comparisons = count_comparisons(experiment, metrics);
  if (comparisons > 0 &&
      statistics::minimum_sign_flip_p(seeds) >= family_alpha(experiment, comparisons))
    warnings.push_back(power_sentence(experiment, comparisons));
  if (seeds < 5)
    warnings.push_back(
        join("fewer than 5 seeds: with ", seeds, ", intervals are wide and often wrong"));
  const auto timed = [](const Price& price) { return price.seconds > 0; };
  if (std::any_of(prices.begin(), prices.end(), timed))
    warnings.push_back(
        "a budget in seconds is not deterministic: the same trial ends elsewhere on another "
        "machine");
  std::string started;
  for (const ResolvedArm& arm : experiment.arms)
    if (arm.train.contains("start")) started += join(started.empty() ? "'" : ", '", arm.name, "'");
  if (!started.empty())
    warnings.push_back(join("trained weights are the start of ", started,
                            ": their seeds differ in data order and noise alone, pairs share no "
                            "initial weights with arms that start anew, and what the start cost is "
                            "in no ledger"));
  if (experiment.probes.empty())
    warnings.push_back("no probes: nothing is measured of the trained models");
  return warnings;
}

}  // namespace ablate::plan
