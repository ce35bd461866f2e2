// Makes phases from resolved sections.

#include "harness/plan/trial/phase.h"

#include "harness/base/error.h"
#include "harness/base/rng.h"

namespace ablate::plan {

namespace {

/// The settings of "train" that phases start from.
Json shared_settings(Json train) {
  for (const char* key : {"phases", "start"}) train.erase(key);
  return train;
}

}  // namespace

void to_json(Json& json, const PhaseMember& member) {
  json = {{"corpus", member.corpus}, {"share", member.fraction}};
}

void from_json(const Json& json, PhaseMember& member) {
  member = {json.at("corpus"), json.at("share")};
}

Budget budget_of(const Json& train) {
  const auto budget = train.find("budget");
  if (budget == train.end() || budget->empty()) return {};
  return {budget->begin().key(), budget->begin()->get<double>()};
}

Phase own_phase(const Json& train, const Json& objective, std::int64_t context,
                const Json& corpus) {
  return {.objective = objective,
          .train = shared_settings(train),
          .context = context,
          .members = {PhaseMember{corpus, 1.0}}};
}

std::vector<Phase> phases_of(const Json& train, const Json& objective, std::int64_t context,
                             const Json& corpus) {
  if (!train.contains("phases")) return {own_phase(train, objective, context, corpus)};
  const Json shared = shared_settings(train);
  std::vector<Phase> phases;
  for (const Json& given : train.at("phases")) {
    Phase phase{.name = given.at("name"),
                .objective = given.at("objective"),
                .train = shared,
                .context = given.at("context"),
                .members = given.at("members").get<std::vector<PhaseMember>>()};
    for (const std::string_view name : kPhaseSettings) phase.train[name] = given.at(name);
    phases.push_back(std::move(phase));
  }
  return phases;
}

std::vector<Phase> phases_of(const Trial& trial) {
  const Json& config = trial.config;
  const std::int64_t context = config.value("model", Json::object()).value("context", 0);
  std::vector<Phase> phases = phases_of(config.at("train"), config.value("objective", Json()),
                                        context, config.value("corpus", Json()));
  if (trial.phases.empty()) {
    if (phases.size() > 1)
      reject("trial {}: has {} phases, but their steps are not given", trial.id, phases.size());
    phases[0].steps = trial.steps;
    phases[0].shape = trial.shape;
    return phases;
  }
  if (trial.phases.size() != phases.size())
    reject("trial {}: has {} phases, but steps for {}", trial.id, phases.size(),
           trial.phases.size());
  for (std::size_t i = 0; i < phases.size(); ++i) {
    phases[i].steps = trial.phases[i].steps;
    phases[i].shape = trial.phases[i].shape;
  }
  return phases;
}

std::uint64_t seed_of_phase(std::int64_t seed, std::size_t phase) {
  const auto own = static_cast<std::uint64_t>(seed);
  return phase == 0 ? own : Rng(own, Stream::phases, phase).next();
}

FlopCount flops_of_phase(const BackboneSpec& backbone, const Params& model, const Hosting& hosting,
                         std::int64_t context) {
  Json sizes = model.json();
  sizes["context"] = context;
  return backbone.flops(Params(backbone.params, sizes), hosting);
}

}  // namespace ablate::plan
