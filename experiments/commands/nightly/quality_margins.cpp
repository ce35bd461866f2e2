#include "experiments/commands/nightly/quality_margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "experiments/commands/records_of.h"
#include "harness/base/error.h"
#include "harness/base/number_text.h"
#include "reports/analysis/comparisons/noise.h"

namespace ablate::commands {
namespace {

/// Standard deviations of the paired difference at which eight seeds pass 98 of 100 nights without a
/// change, in simulations; narrower margins leave many nights inconclusive.
constexpr double kMarginDeviations = 1.5;

/// The experiment of the suite that the records are of.
const nightly::SuiteExperiment& experiment_of(const nightly::Suite& suite, const std::string& name,
                                              const std::string& results) {
  const auto named = [&](const nightly::SuiteExperiment& each) { return each.name == name; };
  const auto found = std::find_if(suite.experiments.begin(), suite.experiments.end(), named);
  if (found != suite.experiments.end()) return *found;
  std::vector<std::string> names;
  for (const nightly::SuiteExperiment& each : suite.experiments) names.push_back(each.name);
  reject(
      "--noise {}: is of the experiment '{}', and the suite has {}; measure one of those: ablate "
      "noise FILE, with the same --set as in the suite",
      results, name, fmt::join(names, ", "));
}

}  // namespace

std::string quality_margins(const nightly::Suite& suite, const std::string& results) {
  const store::Records records = records_of(results);
  const reports::Analysis analysis = reports::analyse(records);
  const nightly::SuiteExperiment& experiment = experiment_of(suite, analysis.experiment, results);
  std::string text;
  for (const reports::SeedSpread& each : reports::spreads_of(analysis)) {
    const auto margin = experiment.margins.find(each.metric);
    if (each.paired || margin == experiment.margins.end() || !margin->second) continue;
    // Two programs whose bits differ may share as little as two seeds do, at worst.
    const double deviation = std::numbers::sqrt2 * each.deviation;
    const double wanted = kMarginDeviations * deviation;
    text += fmt::format(
        "  {:<40} {:>10} {:>10} {:>10}  {}\n",
        fmt::format("{}/{}/{}", experiment.name, each.arm, each.metric), significant(deviation, 3),
        significant(wanted, 3), significant(*margin->second, 3),
        *margin->second >= wanted ? "wide enough" : "too narrow: many nights end inconclusive");
  }
  if (text.empty())
    reject(
        "--noise {}: has no two values of a metric with a margin in the suite; measure them: "
        "ablate noise {}",
        results, experiment.file.string());
  return fmt::format("  {:<40} {:>10} {:>10} {:>10}\n", "quality series", "deviation", "needed",
                     "margin") +
         text;
}

}  // namespace ablate::commands
