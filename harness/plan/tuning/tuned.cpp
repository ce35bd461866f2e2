#include "harness/plan/tuning/tuned.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::plan {
namespace {

Json tried_json(const TriedRate& tried) {
  Json values = Json::array();
  for (const std::optional<double>& value : tried.values)
    values.push_back(value ? Json(*value) : Json());
  return {{"rate", tried.rate}, {"values", std::move(values)}};
}

/// "low" where both are edges: it is the chosen rate's.
const char* edge_name(Edges edges) { return edges.low ? "low" : edges.high ? "high" : ""; }

Json tuned_arm_json(const TunedArm& arm) {
  Json tried = Json::array();
  for (const TriedRate& each : arm.tried) tried.push_back(tried_json(each));
  return {{"arm", arm.arm},
          {"rate", arm.choice.value().rate},
          {"best_rate", arm.choice->best},
          {"edge", edge_name(arm.choice->edges)},
          {"trials", arm.trials},
          {"diverged", arm.diverged},
          {"flops", arm.flops},
          {"initial_loss", arm.initial_loss ? Json(*arm.initial_loss) : Json()},
          {"tried", std::move(tried)}};
}

}  // namespace

const TunedArm& Tuned::arm(const std::string& name) const {
  const auto found = std::find_if(arms.begin(), arms.end(),
                                  [&](const TunedArm& each) { return each.arm == name; });
  if (found == arms.end())
    throw std::logic_error(fmt::format("tuning has found nothing for arm '{}'", name));
  return *found;
}

Json to_json(const Tuned& tuned) {
  Json arms = Json::array();
  double flops = 0;
  for (const TunedArm& arm : tuned.arms) {
    arms.push_back(tuned_arm_json(arm));
    flops += arm.flops;
  }
  return {{"stage", "result"},    {"criterion", tuned.criterion},   {"rates", tuned.rates},
          {"seeds", tuned.seeds}, {"extensions", tuned.extensions}, {"common_rate", tuned.common},
          {"flops", flops},       {"arms", std::move(arms)}};
}

}  // namespace ablate::plan
