// Makes the configurations of trials, and hashes them.

#include "harness/plan/prepare/identity.h"

#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/phase.h"

namespace ablate::plan {
namespace {

/// The section without paths of files, whose content is identified by a hash.
Json without_paths(const Json& section) {
  Json kept = Json::object();
  for (const auto& [key, value] : section.items())
    if (key != "path" && key != "paths")
      kept[key] = value.is_object() ? without_paths(value) : value;
  return kept;
}

/// The section of a corpus, with the hash of its content instead of paths.
Json by_content(const Json& section, const data::Corpus& corpus) {
  Json named = without_paths(section);
  named["hash"] = corpus.hash();
  return named;
}

/// The section "train" of an arm, with corpora and weights named by their content.
Json train_by_content(const ResolvedArm& arm, const std::vector<PreparedPhase>& phases,
                      const Start& start) {
  Json train = arm.train;
  if (!start.hash.empty()) train["start"] = {{"weights", start.hash}};
  if (!arm.has_phases()) return train;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    std::vector<PhaseMember> members;
    for (const PreparedMember& member : phases[i].members)
      members.push_back({by_content(member.section, member.corpus), member.fraction});
    train["phases"][i]["members"] = members;
  }
  return train;
}

/// The versions of what an arm names.
NamedVersions named_versions(const ResolvedArm& arm, const std::vector<PreparedPhase>& phases) {
  NamedVersions named{version_of(*arm.objective_spec, arm.objective), arm.backbone->version, {}};
  if (!arm.has_phases()) return named;
  for (const PreparedPhase& phase : phases)
    named.phase_objectives.push_back(version_of(*phase.spec, phase.recorded_objective));
  return named;
}

}  // namespace

Json trial_config(const Experiment& experiment, const Prepared& prepared, std::size_t index,
                  std::int64_t seed) {
  const ResolvedArm& arm = experiment.arms[index];
  const std::vector<PreparedPhase>& phases = prepared.phases[index];
  const Vocabulary& vocabulary = prepared.vocabulary;
  Json config = {
      {"corpus", by_content(experiment.corpus, prepared.corpus)},
      {"model", arm.model},
      {"objective", arm.objective},
      {"train", train_by_content(arm, phases, prepared.starts[index])},
      {"seed", seed},
      {"vocabulary", {{"ordinary", vocabulary.ordinary}, {"sentinels", vocabulary.sentinels}}}};
  config["semantics"] = versions_of(config, named_versions(arm, phases));
  return config;
}

ProbesOfArm::ProbesOfArm(const std::vector<PlannedProbe>& probes,
                         const std::vector<std::vector<std::int64_t>>& steps) {
  Json settings = Json::array();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    ids_.emplace_back(probes[i].section, *probes[i].spec);
    settings.push_back(probes[i].section);
    for (const std::int64_t step : steps[i]) settings[i]["at"].push_back({{"step", step}});
  }
  for (std::size_t i = 0; i < probes.size(); ++i)
    for (const std::int64_t step : steps[i])
      ids_.emplace_back(probes[i].section, *probes[i].spec, step);
  settings_ = std::make_shared<const Json>(std::move(settings));
}

TrialProbes ProbesOfArm::of(const std::string& trial) const {
  std::vector<std::string> ids;
  ids.reserve(ids_.size());
  for (const MeasurementIds& id : ids_) ids.push_back(id.of(trial));
  return {settings_, std::move(ids)};
}

}  // namespace ablate::plan
