// Chooses the precision and describes it in sentences.

#include "harness/plan/price/precision.h"

#include <fmt/core.h>

#include <set>

namespace ablate::plan {

bool resolve_precision(const Machine& machine, Experiment& experiment) {
  bool automatic = false;
  for (ResolvedArm& arm : experiment.arms)
    if (Json& precision = arm.train.at("precision"); precision == "auto") {
      precision = machine.bfloat16_refusal.empty() ? "bfloat16" : "float32";
      automatic = true;
    }
  return automatic;
}

std::string precision_sentence(const Machine& machine, const Experiment& experiment,
                               bool automatic) {
  std::set<std::string> used;
  for (const ResolvedArm& arm : experiment.arms)
    used.insert(arm.train.at("precision").get<std::string>());
  std::string names;
  for (const std::string& name : used) names += (names.empty() ? "" : " or ") + name;
  const bool bfloat16 = machine.bfloat16_refusal.empty();
  return fmt::format(
      "Products in {}{}; weights, sums and optimizer in float32; kernels for {} on this "
      "processor.{}",
      names, used.size() > 1 ? ", as each arm says" : "", machine.instructions,
      automatic ? fmt::format(" Precision auto: {} {}.", machine.trainer,
                              bfloat16 ? "multiplies bfloat16" : "does not multiply bfloat16")
                : "");
}

}  // namespace ablate::plan
