// From a trial's JSON to its batches, network and measurements.

#include "experiments/worker_trial.h"

#include <algorithm>
#include <set>

#include "experiments/catalog.h"
#include "harness/data/batches.h"
#include "harness/data/language.h"
#include "harness/plan/pair.h"
#include "models/registry.h"

namespace ablate {
namespace {

/// A section without its tag.
Json without(Json section, std::initializer_list<const char*> keys) {
  for (const char* key : keys) section.erase(key);
  return section;
}

Vocabulary vocabulary_of(const Trial& trial) {
  const Json& vocabulary = trial.config.at("vocabulary");
  return {vocabulary.at("ordinary"), vocabulary.at("sentinels")};
}

Packing packing_named(const std::string& name) {
  if (name == "joined") return Packing::joined;
  if (name == "padded") return Packing::padded;
  return Packing::isolated;
}

std::int64_t context_of(const Trial& trial) { return trial.config.at("model").at("context"); }

Params model_params(const Trial& trial, const BackboneSpec& spec) {
  return Params(spec.params, without(trial.config.at("model"), {"backbone"}));
}

const ObjectiveSpec& objective_spec(const Trial& trial, const Catalog& catalog) {
  return catalog.objective(trial.config.at("objective").at("type").get<std::string>());
}

const BackboneSpec& backbone_spec(const Trial& trial, const Catalog& catalog) {
  return catalog.backbone(trial.config.at("model").at("backbone").get<std::string>());
}

/// The trial's objective as its backbone hosts it.
Objective objective_of(const Trial& trial, const Catalog& catalog) {
  const ObjectiveSpec& spec = objective_spec(trial, catalog);
  const Params params(spec.params, without(trial.config.at("objective"), {"type"}));
  Objective objective = spec.build(params, {vocabulary_of(trial), context_of(trial)});
  objective.needs = hosted(std::move(objective.needs), backbone_spec(trial, catalog).offer);
  return objective;
}

/// The built-in language that the corpus was drawn from, or nothing on text.
std::optional<Language> language_of(const Trial& trial) {
  const Json& corpus = trial.config.at("corpus");
  if (corpus.at("kind") != "language") return std::nullopt;
  return Language(Params(language_params(), without(corpus, {"kind", "hash"})));
}

}  // namespace

Seat::Seat(const Trial& given, const std::filesystem::path& where)
    : trial(given), folder(where), journal(where / "journal.jsonl") {}

std::optional<Seat::Settled> Seat::settled() const {
  Settled last;
  for (const Json& event : journal.events())
    if (event.at("event") == "outcome") last = {event.at("outcome"), event.value("message", "")};
  if (last.outcome == "diverged") return last;
  if (last.outcome == "completed" && missing_probes().empty()) return last;
  return std::nullopt;
}

std::vector<Json> Seat::missing_probes() const {
  std::set<Json> measured;
  for (const Json& event : journal.events())
    if (event.at("event") == "measurement") measured.insert(event.at("id"));
  std::vector<Json> missing;
  for (const Json& probe : trial.probes)
    if (!measured.contains(probe.at("id"))) missing.push_back(probe);
  return missing;
}

void Seat::write_stage(std::string_view stage, double seconds, std::size_t lanes) {
  journal.write("stage", {{"stage", stage}, {"seconds", seconds}, {"lanes", lanes}});
}

Hosting hosting_of(const Trial& trial, const Catalog& catalog) {
  return {vocabulary_of(trial), objective_of(trial, catalog).needs, trial.shape};
}

std::shared_ptr<const Batches> batches_of(const Trial& trial, const Catalog& catalog,
                                          const Corpus& corpus) {
  const Json& hash = trial.config.at("corpus").at("hash");
  if (hash != corpus.hash())
    reject("trial ", trial.id, ": is to be trained on corpus ", hash.get<std::string>(),
           " and was given ", corpus.hash(), "; plan it again");
  const Json& train = trial.config.at("train");
  const BatchSettings settings{
      packing_named(train.at("packing")),     train.at("batch"), context_of(trial),
      static_cast<std::uint64_t>(trial.seed), trial.shape,       trial.steps};
  return std::make_shared<const Batches>(corpus.training(), objective_of(trial, catalog), settings);
}

TrainingLane lane_of(Seat& seat, const Catalog& catalog, const Corpus& corpus) {
  const Trial& trial = seat.trial;
  const BackboneSpec& backbone = backbone_spec(trial, catalog);
  const auto batches = batches_of(trial, catalog, corpus);
  const Hosting hosting = hosting_of(trial, catalog);
  return {&trial,
          &seat.journal,
          seat.folder,
          [batches](std::int64_t step) { return batches->step(step); },
          batches->texts(),
          backbone.flops(model_params(trial, backbone), hosting),
          hosting.needs.heads,
          objective_of(trial, catalog).intended};
}

std::unique_ptr<Network> network_of(const Trial& trial, std::int64_t lanes,
                                    const std::string& device) {
  const BackboneSpec& backbone = backbone_spec(trial, catalog());
  NetworkSettings settings;
  settings.model = model_params(trial, backbone);
  settings.hosting = hosting_of(trial, catalog());
  settings.lanes = lanes;
  settings.bfloat16 = trial.config.at("train").at("precision") == "bfloat16";
  settings.fused = trial.config.at("train").at("kernels") == "fused";
  settings.device = device;
  return build_network(backbone.name, settings);
}

void measure_one(Seat& seat, const Json& probe, const Checkpoint& weights, const Catalog& catalog,
                 const Corpus& corpus, const std::filesystem::path& cache,
                 const std::string& device, const ProgressSink& progress) {
  const Trial& trial = seat.trial;
  const auto network = network_of(trial, 1, device);
  load_weights(*network, weights);
  const std::optional<Language> language = language_of(trial);
  const auto untrained = [&] {
    auto fresh = network_of(trial, 1, device);
    initialise(*fresh, {static_cast<std::uint64_t>(trial.seed)});
    return fresh;
  };
  const Subject subject{.trial = trial,
                        .objective = objective_spec(trial, catalog),
                        .offer = backbone_spec(trial, catalog).offer,
                        .corpus = corpus,
                        .language = language ? &*language : nullptr,
                        .vocabulary = vocabulary_of(trial),
                        .network = *network,
                        .untrained = untrained,
                        .device = device,
                        .cache = cache};
  const Measurement made = measure(subject, probe, progress);
  Json metrics = Json::object();
  for (const auto& [name, value] : made.metrics) metrics[name] = number_to_json(value);
  seat.journal.write("measurement", {{"id", probe.at("id")},
                                     {"probe", probe.at("type")},
                                     {"metrics", metrics},
                                     {"details", made.details},
                                     {"samples", made.samples}});
}

}  // namespace ablate
