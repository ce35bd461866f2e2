// Looks up a probe's measuring function and runs it without gradients.

#include "harness/probes/probe.h"

#include <ATen/core/grad_mode.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/base/number_text.h"
#include "harness/plan/resolve/join_heads.h"
#include "harness/plan/rows/train_params.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

Measure& measure_of(const ProbeSpec& spec, std::span<const MeasureRow> table) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const MeasureRow& row) { return row.probe == spec.name; });
  if (found == table.end())
    throw std::logic_error(fmt::format("probe {} has a spec but no measuring function", spec.name));
  return *found->measure;
}

/// Refuses metrics that the spec does not list: reports would not show them.
void check_listed(const Subject& subject, const plan::ResolvedProbe& probe,
                  const Measurement& measurement) {
  const ProbeSpec& spec = *probe.spec;
  const bool language = subject.language != nullptr;
  const Json& corpus = subject.corpus.about();
  ProbedArm arm{subject.objective(), subject.phase.params, subject.model.backbone->offer,
                subject.model.heads, language};
  if (corpus.value("kind", "") == "task") arm.task = &corpus.at("params");
  const auto routes = subject.model.backbone->routes;
  arm.loss = plan::loss_of(subject.phase.train);
  arm.routes = routes != nullptr && routes(subject.model.params);
  std::vector<Metric> listed = spec.metrics(probe.params, arm);
  if (spec.phase_metrics != nullptr) {
    std::vector<PhaseAbout> phases;
    for (const SubjectPhase& each : subject.phases)
      phases.push_back({each.phase.name, each.phase.spec, each.phase.params});
    const std::vector<Metric> further = spec.phase_metrics(phases, language);
    listed.insert(listed.end(), further.begin(), further.end());
  }
  for (const auto& [name, value] : measurement.metrics)
    if (std::none_of(listed.begin(), listed.end(),
                     [&](const Metric& metric) { return metric.name == name; }))
      throw std::logic_error(fmt::format("probe {} does not list metric {}", spec.name, name));
  for (const auto& [name, values] : measurement.items)
    if (!measurement.metrics.contains(name))
      throw std::logic_error(
          fmt::format("probe {} has items of {}, which it did not measure", spec.name, name));
}

/// How often each parameter was written to: what probes share must stay as it was trained.
std::vector<std::uint32_t> writes_to(train::Network& network) {
  std::vector<std::uint32_t> writes;
  for (const train::Parameter& parameter : network.parameters())
    writes.push_back(static_cast<std::uint32_t>(parameter.value._version()));
  return writes;
}

/// What is stored of each test item: as many digits as a float has, beyond which the value of one item is
/// noise. Stores keep hundreds of them for each metric, of which all digits were half of their size.
std::map<std::string, std::vector<double>> as_stored(
    std::map<std::string, std::vector<double>> items) {
  constexpr int kDigits = 7;
  for (auto& [metric, values] : items)
    for (double& value : values) {
      const std::string digits = significant(value, kDigits);
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
    }
  return items;
}

}  // namespace

std::span<const MeasureRow> measure_rows() {
  static constexpr MeasureRow kRows[] = {
#define ABLATE_ROW(name) {#name, measure_##name},
      ABLATE_PROBES(ABLATE_ROW)
#undef ABLATE_ROW
  };
  return kRows;
}

Measurement no_measurement(const std::string& subject, std::string_view reason) {
  return {.details = {{"absent", {{subject, reason}}}}};
}

Measurement measure(const Subject& subject, const plan::ResolvedProbe& probe,
                    const ProgressSink& progress, std::span<const MeasureRow> table) {
  const at::NoGradGuard no_gradients;
  const ProgressSink sink = progress ? progress : [](double) {};
  const std::vector<std::uint32_t> before = writes_to(subject.network);
  Measurement measurement = measure_of(*probe.spec, table)(subject, probe, sink);
  if (writes_to(subject.network) != before)
    throw std::logic_error(fmt::format("probe {} changed the model's weights", probe.spec->name));
  check_listed(subject, probe, measurement);
  std::erase_if(measurement.items, [](const auto& of_metric) {
    const auto finite = [](double value) { return std::isfinite(value); };
    return !std::ranges::all_of(of_metric.second, finite);
  });
  if (!measurement.items.empty()) measurement.details["items"] = as_stored(measurement.items);
  if (!measurement.item_sets.empty()) measurement.details["item_sets"] = measurement.item_sets;
  sink(1);
  return measurement;
}

Objective objective_at(const Subject& subject, const Params& params) {
  Objective objective =
      plan::hosted_objective(subject.objective(), params, subject.model, subject.phase.context);
  const std::size_t built = subject.phase.objective.needs.heads.size();
  Needs network = subject.phase.objective.needs;
  std::string why = plan::join_heads(std::vector{&network, &objective.needs});
  if (why.empty() && network.heads.size() > built) why = "it asks for one that was not built";
  if (!why.empty()) throw std::logic_error("objective_at: other heads than the network's: " + why);
  return objective;
}

}  // namespace ablate::probes
