#include "harness/plan/read/resolved_json.h"

namespace ablate::plan {

Json resolved_json(const Experiment& experiment) {
  Json arms = Json::array();
  for (const ResolvedArm& arm : experiment.arms)
    arms.push_back({{"name", arm.name},
                    {"model", arm.model},
                    {"objective", arm.objective},
                    {"train", arm.train}});
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (!experiment.arms[i].label.empty()) arms[i]["label"] = experiment.arms[i].label;
  Json probes = Json::array();
  for (const PlannedProbe& probe : experiment.probes) {
    probes.push_back(probe.section);
    if (probe.on_the_way.any()) probes.back()["at"] = probe.on_the_way;
  }
  Json resolved = {{"name", experiment.name},
                   {"question", experiment.question},
                   {"corpus", experiment.corpus},
                   {"arms", std::move(arms)},
                   {"baseline", experiment.arms[experiment.baseline].name},
                   {"seeds", experiment.seeds},
                   {"match", experiment.match.section},
                   {"probes", std::move(probes)},
                   {"analysis", experiment.analysis.section},
                   {"limits", experiment.limits}};
  if (experiment.tuning) resolved["tuning"] = experiment.tuning->section;
  return resolved;
}

}  // namespace ablate::plan
