// Picks from a trial's configuration what sets the cost of a step.

#include "harness/plan/trial/step_kind.h"

namespace ablate::plan {

Json step_kind(const Json& trial_config) {
  Json kind;
  for (const char* key : {"model", "objective", "vocabulary"}) kind[key] = trial_config.at(key);
  for (const char* key : {"batch", "dropout", "kernels", "packing", "precision"})
    kind[key] = trial_config.at("train").at(key);
  for (const char* key : {"micro_batch", "loss"})
    if (const Json& train = trial_config.at("train"); train.contains(key)) kind[key] = train[key];
  for (const Json& phase : trial_config.at("train").value("phases", Json::array()))
    kind["phases"].push_back({phase.at("objective"), phase.at("context")});
  return kind;
}

}  // namespace ablate::plan
