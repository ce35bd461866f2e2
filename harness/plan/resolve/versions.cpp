// Collects and compares versions.

#include "harness/plan/resolve/versions.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/sha256.h"
#include "harness/data/language/language.h"
#include "harness/data/tasks/task_text.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/phase.h"

namespace ablate::plan {
namespace {

bool has_budget_in_tokens(const Json& train) {
  const std::vector<Phase> phases = phases_of(train, Json(), 0, Json());
  return std::any_of(phases.begin(), phases.end(),
                     [](const Phase& phase) { return budget_of(phase.train).unit == "tokens"; });
}

/// The versions that this catalogue has of what a configuration names.
NamedVersions named_versions(const Json& config, const Catalog& catalog) {
  const auto objective = [&](const Json& section) {
    return version_of(catalog.objective(section.at("type").get<std::string>()), section);
  };
  NamedVersions named{
      objective(config.at("objective")),
      catalog.backbone(config.at("model").at("backbone").get<std::string>()).version,
      {}};
  if (const auto phases = config.at("train").find("phases"); phases != config.at("train").end())
    for (const Json& phase : *phases)
      named.phase_objectives.push_back(objective(phase.at("objective")));
  return named;
}

/// A trial's versions, with the names of its objective and backbone.
Json with_names(Json versions, const Json& config) {
  versions["objective"] = {
      {config.at("objective").at("type").get<std::string>(), versions.at("objective")}};
  versions["backbone"] = {
      {config.at("model").at("backbone").get<std::string>(), versions.at("backbone")}};
  return versions;
}

std::string text_of(const Json& flat, const std::string& path) {
  const auto found = flat.find(path);
  return found == flat.end() ? "none" : canonical(*found);
}

std::string digits_of(const std::string& text) { return sha256(text).substr(0, 16); }

void check_probe(const Trial& trial, const Json& probe, const Catalog& catalog) {
  const ProbeSpec& spec = catalog.probe(probe.at("type").get<std::string>());
  Json section = probe;
  for (const char* added : {"id", "at"}) section.erase(added);
  bool same = probe.at("id") == MeasurementIds(section, spec).of(trial.id);
  for (const Json& point : probe.value("at", Json::array()))
    same = same && point.at("id") ==
                       MeasurementIds(section, spec, integer_in(point.at("step"))).of(trial.id);
  if (!same)
    reject(
        "trial {}: the version of probe {}: planned another, this worker has {}; build both "
        "programs from the same source",
        trial.id, spec.name, spec.version);
}

}  // namespace

Json version_of(const ObjectiveSpec& objective, const Json& section) {
  if (objective.members == nullptr) return objective.version;
  Json own = section;
  own.erase("type");
  Json raised = Json::object();
  for (const ObjectiveSpec* member : objective.members(Params(objective.params, own)))
    if (member->version > 1) raised[std::string(member->name)] = member->version;
  if (raised.empty()) return objective.version;
  raised[std::string(objective.name)] = objective.version;
  return raised;
}

Json versions_of(const Json& config, const NamedVersions& named) {
  Json versions = {
      {"objective", named.objective}, {"backbone", named.backbone}, {"train", kTrainVersion}};
  if (config.at("corpus").at("kind") == "language")
    versions.emplace("language", data::kLanguageVersion);
  if (config.at("corpus").at("kind") == "task") versions.emplace("task", data::kTaskVersion);
  const Json& train = config.at("train");
  if (has_budget_in_tokens(train)) versions.emplace("token_budget", kTokenBudgetVersion);
  if (train.contains("phases"))
    versions.update({{"phases", kPhaseVersion}, {"phase_objectives", named.phase_objectives}});
  return versions;
}

Json versions_of(const Catalog& catalog) {
  Json versions = {{"train", kTrainVersion},
                   {"language", data::kLanguageVersion},
                   {"task", data::kTaskVersion},
                   {"token_budget", kTokenBudgetVersion},
                   {"phases", kPhaseVersion}};
  const auto add = [&](const char* family, const auto& specs) {
    for (const auto& spec : specs) versions[family][std::string(spec.name)] = spec.version;
  };
  add("objective", catalog.objectives);
  add("backbone", catalog.backbones);
  add("probe", catalog.probes);
  return versions;
}

std::string version_difference(const Json& planned, const Json& worker) {
  if (planned == worker) return "";
  const Json one = planned.flatten(), other = worker.flatten();
  Json all = one;
  all.update(other);
  for (const auto& [path, value] : all.items()) {
    const std::string was = text_of(one, path), is = text_of(other, path);
    if (was == is) continue;
    std::string name = path.substr(std::min<std::size_t>(path.size(), 1));
    std::replace(name.begin(), name.end(), '/', ' ');
    return fmt::format("the version of {}: planned {}, this worker has {}",
                       name.empty() ? "everything" : name, was, is);
  }
  return "";
}

std::string id_of(const Json& config) { return digits_of(canonical(config)); }

MeasurementIds::MeasurementIds(const Json& section, const ProbeSpec& spec,
                               std::optional<std::int64_t> step) {
  Json hashed = {{"probe", section}, {"semantics", spec.version}};
  if (step) hashed["step"] = *step;
  before_ = canonical(hashed);
  before_.back() = ',';  // for the brace: "trial" comes after all other keys
}

std::string MeasurementIds::of(const std::string& trial) const {
  return digits_of(before_ + "\"trial\":" + canonical(trial) + "}");
}

SeedIds::SeedIds(const Json& config) {
  std::string* text = &before_;
  for (const auto& [name, section] : config.items()) {
    if (text == &before_ && name > "seed") text = &after_;
    if (name != "seed") *text += "," + canonical(name) + ":" + canonical(section);
  }
  if (!before_.empty()) before_ = before_.substr(1) + ",";
}

std::string SeedIds::of(std::int64_t seed) const {
  return digits_of(fmt::format("{{{}\"seed\":{}{}}}", before_, seed, after_));
}

void check_versions(const Trial& trial, const Catalog& catalog) {
  const Json& config = trial.config;
  try {
    const Json own = versions_of(config, named_versions(config, catalog));
    const std::string difference =
        version_difference(with_names(config.at("semantics"), config), with_names(own, config));
    if (!difference.empty())
      reject("trial {}: {}; build both programs from the same source", trial.id, difference);
    const Json probes = trial.probes;
    for (const Json& probe : probes) check_probe(trial, probe, catalog);
  } catch (const Json::exception& error) {
    reject(
        "trial {}: its configuration has another form than this version reads: {}; build both "
        "programs from the same source",
        trial.id, error.what());
  }
}

}  // namespace ablate::plan
