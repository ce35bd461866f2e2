// The list of probes, and what their specs share.

#include "harness/probes/specs.h"

#include <array>
#include <mutex>
#include <set>

#include "harness/probes/members.h"

namespace ablate::probes {

std::span<const ProbeSpec> probe_specs() {
  static const std::array<ProbeSpec, 4> specs = {classification_spec(), forgetting_spec(),
                                                 generation_spec(), held_out_spec()};
  return specs;
}

std::string_view lasting(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> texts;  // nodes never move
  const std::lock_guard lock(mutex);
  return *texts.insert(text).first;
}

bool has_optimum(const ObjectiveSpec& objective, const Params& params) {
  return objective.optimum_kind && objective.optimum_kind(params) != OptimumKind::none;
}

void add_caveats(std::vector<Metric>& metrics, std::size_t first, const ObjectiveSpec& objective,
                 const Params& params) {
  if (!has_optimum(objective, params) || objective.optimum_kind(params) != OptimumKind::lower)
    return;
  for (std::size_t i = first; i < metrics.size(); ++i) {
    const std::string_view of = metrics[i].name.substr(metrics[i].name.find('.') + 1);
    if (of.starts_with("optimum") || (of.starts_with("excess") && of != "excess_error") ||
        of == "share_learned")
      metrics[i].caveat =
          "the optimum is a lower bound, of a predictor that is told what no model is: the true "
          "excess is smaller, the true share learned larger";
  }
}

Params probe_params(const ProbeSpec& spec, const Json& probe) {
  Json settings = Json::object();
  for (const Param& param : spec.params) {
    const std::string name(param.name);
    if (probe.contains(name)) settings[name] = probe[name];
  }
  return Params(spec.params, settings);
}

}  // namespace ablate::probes
