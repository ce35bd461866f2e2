// Reads the JSON configuration of a trial into types.

#include "harness/plan/resolve/resolve.h"

#include "harness/base/error.h"
#include "harness/data/batches/packing.h"
#include "harness/plan/resolve/built_objective.h"
#include "harness/plan/resolve/join_heads.h"
#include "harness/plan/resolve/pair.h"
#include "harness/plan/rows/train_params.h"

// The worker links this file but no tokenizer. Nothing here may include the sections of experiment
// files, because those depend on the tokenizer.
namespace ablate::plan {
namespace {

/// A section of a trial's configuration without the keys that are not its parameters.
Json without(Json section, std::initializer_list<const char*> keys) {
  for (const char* key : keys) section.erase(key);
  return section;
}

ResolvedCorpus resolve_corpus(const Json& corpus, double fraction) {
  ResolvedCorpus made{.hash = corpus.at("hash"), .fraction = fraction};
  if (corpus.at("kind") == "language")
    made.language = Params(data::language_params(), without(corpus, {"kind", "hash"}));
  return made;
}

std::vector<ResolvedProbe> resolve_probes(const Catalog& catalog, const Json& probes) {
  std::vector<ResolvedProbe> made;
  for (const Json& probe : probes) {
    const ProbeSpec& spec = catalog.probe(probe.at("type").get<std::string>());
    made.push_back({probe.at("id"), &spec, probe_params(spec, probe), probe});
    for (const Json& point : probe.value("at", Json::array()))
      made.back().on_the_way.push_back({integer_in(point.at("step")), point.at("id")});
  }
  return made;
}

}  // namespace

Objective hosted_objective(const ObjectiveSpec& spec, const Params& params,
                           const ResolvedModel& model, std::int64_t context) {
  Objective objective = built_objective(spec, params, {model.vocabulary, context});
  objective.needs = hosted(std::move(objective.needs), model.backbone->offer, model.heads);
  return objective;
}

ResolvedObjective resolve_objective(const Catalog& catalog, const Json& section) {
  const ObjectiveSpec& spec = catalog.objective(section.at("type").get<std::string>());
  return {&spec, Params(spec.params, without(section, {"type"}))};
}

ResolvedModel resolve_model(const Catalog& catalog, const Json& section,
                            const Vocabulary& vocabulary) {
  const BackboneSpec& backbone = catalog.backbone(section.at("backbone").get<std::string>());
  return {&backbone, Params(backbone.params, without(section, {"backbone"})), vocabulary,
          catalog.heads};
}

ResolvedPhase resolve_phase(const Catalog& catalog, const ResolvedModel& model,
                            const Phase& phase) {
  ResolvedObjective objective = resolve_objective(catalog, phase.objective);
  ResolvedPhase made{.name = phase.name,
                     .spec = objective.spec,
                     .params = std::move(objective.params),
                     .recorded_objective = phase.objective,
                     .context = phase.context,
                     .steps = phase.steps,
                     .shape = phase.shape};
  made.objective = hosted_objective(*made.spec, made.params, model, made.context);
  // Of phases that name budgets of their own, the trial's own settings have none.
  Json train = phase.train;
  if (!train.contains("budget")) train["budget"] = Json::object();
  made.train = Params(train_params(), train);
  made.budget = budget_of(train);
  made.packing = data::packing_named(made.train.text("packing"));
  return made;
}

std::string join_heads(ResolvedPhase& own, std::span<ResolvedPhase> phases) {
  std::vector<Needs*> needs = {&own.objective.needs};
  for (ResolvedPhase& phase : phases) needs.push_back(&phase.objective.needs);
  return join_heads(needs);
}

ResolvedTrial resolve(const Trial& trial, const Catalog& catalog) {
  const Json& config = trial.config;
  try {
    const Json& vocabulary = config.at("vocabulary");
    ResolvedTrial made{
        .id = trial.id,
        .seed = trial.seed,
        .model = resolve_model(catalog, config.at("model"),
                               {vocabulary.at("ordinary"), vocabulary.at("sentinels")}),
        .has_phases = !trial.phases.empty(),
        .probes = resolve_probes(catalog, trial.probes)};
    const auto with_corpora = [&](const Phase& phase, std::size_t number) {
      ResolvedPhase next = resolve_phase(catalog, made.model, phase);
      next.seed = seed_of_phase(trial.seed, number);
      for (const PhaseMember& member : phase.members)
        next.corpora.push_back(resolve_corpus(member.corpus, member.fraction));
      return next;
    };
    Phase own = own_phase(config.at("train"), config.at("objective"), made.model.context(),
                          config.at("corpus"));
    own.steps = trial.steps;
    own.shape = trial.shape;
    made.own = with_corpora(own, 0);
    for (const Phase& phase : phases_of(trial))
      made.phases.push_back(made.has_phases ? with_corpora(phase, made.phases.size()) : made.own);
    if (const std::string why = join_heads(made.own, made.phases); !why.empty())
      reject("trial {}: {}", trial.id, why);
    made.hosting = {made.model.vocabulary, made.own.objective.needs, trial.shape};
    for (ResolvedPhase& phase : made.phases)
      phase.flops = flops_of_phase(*made.model.backbone, made.model.params,
                                   {made.model.vocabulary, phase.objective.needs, phase.shape},
                                   phase.context);
    if (const Json start = config.at("train").value("start", Json()); start.is_object())
      made.start = start.at("weights");
    return made;
  } catch (const Json::exception& error) {
    reject(
        "trial {}: its configuration has another form than this version reads: {}; plan it again",
        trial.id, error.what());
  }
}

std::shared_ptr<const data::Language> language_of(const ResolvedCorpus& corpus) {
  return corpus.language ? std::make_shared<const data::Language>(*corpus.language) : nullptr;
}

Params probe_params(const ProbeSpec& spec, const Json& probe) {
  Json settings = Json::object();
  for (const Param& param : spec.params) {
    const std::string name(param.name);
    if (probe.contains(name)) settings[name] = probe[name];
  }
  return Params(spec.params, settings);
}

}  // namespace ablate::plan
