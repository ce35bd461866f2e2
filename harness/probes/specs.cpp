// The list of probes, and what their specs have in common.

#include "harness/probes/specs.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "harness/probes/members.h"

namespace ablate::probes {

std::span<const ProbeSpec> probe_specs() {
#define ABLATE_CALL(name) name##_spec(),
  static const std::vector<ProbeSpec> specs = {ABLATE_PROBES(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

Param name_param() {
  return optional(text("name", nullptr,
                       "prefix of the metrics' names, such as \"intent\" for intent.accuracy; with "
                       "different names the probe may be listed several times"));
}

std::string name_refusal(const Params& params) {
  if (!params.has("name")) return {};
  const std::string& name = params.text("name");
  const auto accepted = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || name.size() > 40 || !std::all_of(name.begin(), name.end(), accepted))
    return "its name is not made of 1 to 40 small letters, digits and '_', as metric names are";
  return {};
}

std::string without_states_refusal(const ProbedArm& arm, std::string_view probe) {
  if (arm.language) return {};
  return fmt::format(
      "text has no known hidden states, only the built-in language (corpus.kind = \"language\") "
      "does; leave '{}' out of the probes",
      probe);
}

std::string subject_of(const Params& params, std::string_view without) {
  return params.has("name") ? params.text("name") : std::string(without);
}

bool has_optimum(const ObjectiveSpec& objective, const Params& params) {
  return objective.optimum_kind && objective.optimum_kind(params) != OptimumKind::none;
}

void add_caveats(std::vector<Metric>& metrics, std::size_t first, const ObjectiveSpec& objective,
                 const Params& params) {
  if (!has_optimum(objective, params) || objective.optimum_kind(params) != OptimumKind::lower)
    return;
  for (std::size_t i = first; i < metrics.size(); ++i) {
    const std::string of = metrics[i].name.substr(metrics[i].name.find('.') + 1);
    if (of.starts_with("optimum") || (of.starts_with("excess") && of != "excess_error") ||
        of == "share_learned")
      metrics[i].caveat =
          "the optimum is a lower bound, from a predictor that knows more than any model can: the "
          "true excess is smaller, and the true fraction learned is larger";
  }
}

}  // namespace ablate::probes
