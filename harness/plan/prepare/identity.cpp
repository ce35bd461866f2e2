// Makes the configurations of trials, and hashes them.

#include "harness/plan/prepare/identity.h"

#include "harness/base/sha256.h"
#include "harness/data/language/language.h"
#include "harness/plan/rows/train_params.h"
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

}  // namespace

Json trial_config(const Catalog& catalog, const Experiment& experiment, const ResolvedArm& arm,
                  std::int64_t seed, const Vocabulary& vocabulary, const std::string& corpus_hash) {
  Json corpus = without_paths(experiment.corpus);
  corpus["hash"] = corpus_hash;
  Json version = {
      {"objective", catalog.objective(arm.objective["type"].get<std::string>()).version},
      {"backbone", catalog.backbone(arm.model["backbone"].get<std::string>()).version},
      {"train", kTrainVersion}};
  if (corpus["kind"] == "language") version["language"] = data::kLanguageVersion;
  if (arm.train.contains("phases")) {
    version["phases"] = kPhaseVersion;
    for (const Json& phase : arm.train["phases"])
      version["phase_objectives"].push_back(
          catalog.objective(phase["objective"]["type"].get<std::string>()).version);
  }
  return {{"corpus", std::move(corpus)},
          {"model", arm.model},
          {"objective", arm.objective},
          {"train", arm.train},
          {"seed", seed},
          {"vocabulary", {{"ordinary", vocabulary.ordinary}, {"sentinels", vocabulary.sentinels}}},
          {"semantics", std::move(version)}};
}

ResolvedArm by_content(ResolvedArm arm, const std::vector<PreparedPhase>& phases,
                       const std::string& start) {
  if (!start.empty()) arm.train["start"] = {{"weights", start}};
  if (!arm.train.contains("phases")) return arm;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    Json members = Json::array();
    for (const PreparedMember& member : phases[i].members) {
      Json corpus = without_paths(member.section);
      corpus["hash"] = member.corpus.hash();
      members.push_back({{"corpus", std::move(corpus)}, {"share", member.fraction}});
    }
    arm.train["phases"][i]["members"] = std::move(members);
  }
  return arm;
}

std::string id_of(const Json& config) { return sha256(canonical(config)).substr(0, 16); }

Json identified_probes(const Catalog& catalog, const Json& probes, const std::string& trial) {
  Json identified = probes;
  for (Json& probe : identified) {
    const int version = catalog.probe(probe["type"].get<std::string>()).version;
    probe["id"] = id_of({{"trial", trial}, {"probe", probe}, {"semantics", version}});
  }
  return identified;
}

}  // namespace ablate::plan
