#include "harness/plan/precision.h"

#include <set>

#include "harness/base/error.h"

namespace ablate {

void resolve_precision(const Machine& machine, Experiment& experiment) {
  for (ResolvedArm& arm : experiment.arms)
    if (Json& precision = arm.train.at("precision"); precision == "auto")
      precision = machine.bfloat16_refusal.empty() ? "bfloat16" : "float32";
}

std::string precision_sentence(const Machine& machine, const Experiment& experiment) {
  std::set<std::string> used;
  for (const ResolvedArm& arm : experiment.arms)
    used.insert(arm.train.at("precision").get<std::string>());
  std::string names;
  for (const std::string& name : used) names += (names.empty() ? "" : " or ") + name;
  return join("Products in ", names, used.size() > 1 ? ", as each arm says" : "", "; weights, sums and optimizer in ",
              "float32; kernels for ", machine.instructions, " on this processor.");
}

}  // namespace ablate
