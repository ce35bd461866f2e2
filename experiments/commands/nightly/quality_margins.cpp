#include "experiments/commands/nightly/quality_margins.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "experiments/catalog.h"
#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "harness/plan/read/experiment.h"
#include "harness/store/index/records.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::commands {
namespace {

/// The experiment of the suite that the records are of.
const nightly::SuiteExperiment& experiment_of(const nightly::Suite& suite, const std::string& name,
                                              const std::string& results) {
  const auto named = [&](const nightly::SuiteExperiment& each) { return each.name == name; };
  const auto found = std::find_if(suite.experiments.begin(), suite.experiments.end(), named);
  if (found != suite.experiments.end()) return *found;
  std::vector<std::string> names;
  for (const nightly::SuiteExperiment& each : suite.experiments) names.push_back(each.name);
  reject(
      "--noise {}: holds experiment '{}', which is not in the suite ({}); measure one of those: "
      "ablate noise FILE, with the suite's --set",
      results, name, fmt::join(names, ", "));
}

/// The number of seeds that a night trains.
std::int64_t seeds_of(const nightly::SuiteExperiment& experiment) {
  plan::Overrides overrides;
  for (const std::string& flag : experiment.flags)
    if (flag != "--set") overrides.set.push_back(flag);
  return std::ssize(plan::read_experiment(catalog(), experiment.file, overrides).seeds);
}

/// The margin that a suite states for EXPERIMENT/ARM/METRIC.
std::optional<double> stated_margin(const nightly::Suite& suite, const std::string& series) {
  for (const nightly::SuiteExperiment& experiment : suite.experiments)
    for (const auto& [metric, margin] : experiment.margins)
      if (series.starts_with(experiment.name + '/') && series.ends_with('/' + metric))
        return margin;
  return std::nullopt;
}

}  // namespace

std::map<std::string, nightly::QualityNoise> noise_in(const nightly::Suite& suite,
                                                      const std::string& results) {
  const store::Records records = store::load_records(results);
  const nightly::SuiteExperiment& experiment =
      experiment_of(suite, store::stored_plan(records.plan).experiment, results);
  auto quality = nightly::quality_noise(experiment, records, seeds_of(experiment));
  if (quality.empty())
    reject(
        "--noise {}: no metric with a margin in the suite has two values here; measure some: "
        "ablate noise {}",
        results, experiment.file.string());
  return quality;
}

std::string margins_table(const nightly::Suite& suite,
                          const std::map<std::string, nightly::QualityNoise>& quality) {
  std::string table = fmt::format("  {:<60} {:>10} {:>6} {:>10} {:>8}\n", "metrics, in their units",
                                  "deviation", "seeds", "can hold", "stated");
  for (const auto& [series, noise] : quality) {
    const std::optional<double> stated = stated_margin(suite, series);
    table +=
        fmt::format("  {:<60} {:>10} {:>6} {:>10} {:>8}{}\n", series, significant(noise.deviation),
                    noise.seeds, significant(noise.margin), stated ? significant(*stated) : "-",
                    stated && *stated < noise.margin ? "  smaller than these seeds can hold" : "");
  }
  return table;
}

}  // namespace ablate::commands
