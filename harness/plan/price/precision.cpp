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
      automatic ? fmt::format(" Precision auto: this machine's processor {}, whatever the device.",
                              bfloat16 ? "multiplies bfloat16" : "does not multiply bfloat16")
                : "");
}

std::string precision_note(const Machine& machine, const Plan& plan, std::string_view device) {
  if (device == "cpu" || !plan.automatic_precision || machine.bfloat16_refusal.empty()) return {};
  return fmt::format(
      "train.precision auto is float32, because this machine's processor does not multiply "
      "bfloat16; if {} does, use --set train.precision=bfloat16",
      device);
}

}  // namespace ablate::plan
