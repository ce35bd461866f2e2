#include "harness/probes/held_out/yardsticks_spec.h"

#include <fmt/core.h>

namespace ablate::probes {

std::vector<Yardstick> yardsticks(const ObjectiveSpec& objective, const Params& params) {
  std::vector<Yardstick> all;
  for (const CommonSetting& setting : common_settings_of(objective, params))
    all.push_back({.name = setting.name,
                   .where = fmt::format(", with the objective at {}, whatever the arm was trained "
                                        "with",
                                        canonical(setting.params)),
                   .params = Params(objective.params, setting.params),
                   .of_heads = setting.of_heads});
  if (held_out_params(objective, params).json() != params.json())
    all.push_back({"as_trained", ", where held-out text is read as in training", params, true});
  return all;
}

}  // namespace ablate::probes
