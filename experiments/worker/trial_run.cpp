// From a trial's JSON to its batches, network and measurements.

#include "experiments/worker/trial_run.h"

#include <algorithm>
#include <set>

#include "experiments/catalog.h"
#include "harness/data/batches/batches.h"
#include "harness/data/language/language.h"
#include "harness/plan/read/start.h"
#include "harness/plan/resolve/pair.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/phase.h"
#include "models/registry.h"

namespace ablate::worker {
namespace {

/// A section without its tag.
Json without(Json section, std::initializer_list<const char*> keys) {
  for (const char* key : keys) section.erase(key);
  return section;
}

Vocabulary vocabulary_of(const plan::Trial& trial) {
  const Json& vocabulary = trial.config.at("vocabulary");
  return {vocabulary.at("ordinary"), vocabulary.at("sentinels")};
}

std::int64_t context_of(const plan::Trial& trial) { return trial.config.at("model").at("context"); }

Params model_params(const plan::Trial& trial, const BackboneSpec& spec) {
  return Params(spec.params, without(trial.config.at("model"), {"backbone"}));
}

const ObjectiveSpec& objective_spec(const Json& objective, const Catalog& catalog) {
  return catalog.objective(objective.at("type").get<std::string>());
}

const BackboneSpec& backbone_spec(const plan::Trial& trial, const Catalog& catalog) {
  return catalog.backbone(trial.config.at("model").at("backbone").get<std::string>());
}

/// An objective of the trial as its backbone hosts it.
Objective hosted_objective(const plan::Trial& trial, const Json& section, std::int64_t context,
                           const Catalog& catalog) {
  const ObjectiveSpec& spec = objective_spec(section, catalog);
  Objective objective =
      spec.build(Params(spec.params, without(section, {"type"})), {vocabulary_of(trial), context});
  objective.needs = plan::hosted(std::move(objective.needs), backbone_spec(trial, catalog).offer);
  return objective;
}

/// The built-in language that a corpus was drawn from, or nothing on text.
std::shared_ptr<const data::Language> language_of(const Json& corpus) {
  if (corpus.at("kind") != "language") return nullptr;
  return std::make_shared<const data::Language>(
      Params(data::language_params(), without(corpus, {"kind", "hash"})));
}

void check_corpus(const plan::Trial& trial, const Corpora& corpora) {
  const Json& hash = trial.config.at("corpus").at("hash");
  if (hash != corpora.main().hash())
    reject("trial ", trial.id, ": is to be trained on corpus ", hash.get<std::string>(),
           " and was given ", corpora.main().hash(), "; plan it again");
}

/// The phases that the trial names, for the probes that ask about them.
std::vector<probes::SubjectPhase> subject_phases(TrialRun& run, const Catalog& catalog,
                                                 const Corpora& corpora,
                                                 const std::string& device) {
  std::vector<probes::SubjectPhase> made;
  if (run.trial.phases.empty()) return made;
  const std::vector<plan::Phase> phases = plan::phases_of(run.trial);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const Json& corpus = phases[i].members.at(0).at("corpus");
    const auto trained = [&run, &device, i, last = i + 1 == phases.size()] {
      auto network = network_of(run.trial, 1, device);
      if (last)
        train::load_weights(*network, train::final_weights(run.files()).value());
      else
        train::load_weights(*network, train::phase_weights(run.files(), i));
      return network;
    };
    made.push_back({phases[i], objective_spec(phases[i].objective, catalog),
                    corpora.of(corpus.at("hash")), language_of(corpus), trained});
  }
  return made;
}

}  // namespace

TrialRun::TrialRun(const plan::Trial& given, const std::filesystem::path& where)
    : trial(given), folder(where), journal(where / "journal.jsonl") {}

std::optional<TrialRun::Settled> TrialRun::settled() const {
  Settled last;
  for (const Json& event : journal.events())
    if (event.at("event") == "outcome") last = {event.at("outcome"), event.value("message", "")};
  if (last.outcome == "diverged") return last;
  if (last.outcome == "completed" && missing_probes().empty()) return last;
  return std::nullopt;
}

std::vector<Json> TrialRun::missing_probes() const {
  std::set<Json> measured;
  for (const Json& event : journal.events())
    if (event.at("event") == "measurement") measured.insert(event.at("id"));
  std::vector<Json> missing;
  for (const Json& probe : trial.probes)
    if (!measured.contains(probe.at("id"))) missing.push_back(probe);
  return missing;
}

void TrialRun::write_stage(std::string_view stage, double seconds, std::size_t lanes) {
  journal.write("stage", {{"stage", stage}, {"seconds", seconds}, {"lanes", lanes}});
}

Corpora::Corpora(const std::filesystem::path& main)
    : cache_(main.parent_path()), main_(data::Corpus::open(main)) {}

data::Corpus Corpora::of(const std::string& hash) const {
  if (hash == main_.hash()) return main_;
  const auto known = opened_.find(hash);
  if (known != opened_.end()) return known->second;
  const data::Corpus corpus = data::Corpus::open(cache_ / (hash + ".corpus"));
  if (corpus.hash() != hash)
    throw DamagedFile(join(cache_.string(), ": ", hash, ".corpus holds another corpus"));
  return opened_.emplace(hash, corpus).first->second;
}

Hosting hosting_of(const plan::Trial& trial, const Catalog& catalog) {
  const Objective own =
      hosted_objective(trial, trial.config.at("objective"), context_of(trial), catalog);
  return {vocabulary_of(trial), own.needs, trial.shape};
}

std::shared_ptr<const data::Batches> batches_of(const plan::Trial& trial, std::size_t number,
                                                const Catalog& catalog, const Corpora& corpora) {
  check_corpus(trial, corpora);
  const plan::Phase phase = plan::phases_of(trial).at(number);
  const data::BatchSettings settings{plan::packing_of(phase.train),
                                     phase.train.at("batch"),
                                     phase.context,
                                     plan::seed_of_phase(trial.seed, number),
                                     phase.shape,
                                     phase.steps};
  std::vector<data::BatchMember> members;
  for (const Json& member : phase.members)
    members.push_back({corpora.of(member.at("corpus").at("hash")).training(), member.at("share")});
  return std::make_shared<const data::Batches>(
      members, hosted_objective(trial, phase.objective, phase.context, catalog), settings);
}

train::TrainingLane lane_of(TrialRun& run, const Catalog& catalog, const Corpora& corpora) {
  const plan::Trial& trial = run.trial;
  const BackboneSpec& backbone = backbone_spec(trial, catalog);
  const Hosting hosting = hosting_of(trial, catalog);
  train::TrainingLane lane{&trial, &run.journal, run.folder, {}, {}, hosting.needs.heads};
  if (const Json start = trial.config.at("train").value("start", Json()); start.is_object())
    lane.start = plan::start_file(corpora.cache(), start.at("weights"));
  const std::vector<plan::Phase> phases = plan::phases_of(trial);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const auto batches = batches_of(trial, i, catalog, corpora);
    const Hosting own{hosting.vocabulary, hosting.needs, phases[i].shape};
    lane.phases.push_back(
        {[batches](std::int64_t step) { return batches->step(step); }, batches->texts(),
         plan::flops_of_phase(backbone, model_params(trial, backbone), own, phases[i].context),
         hosted_objective(trial, phases[i].objective, phases[i].context, catalog).intended});
  }
  return lane;
}

std::unique_ptr<train::Network> network_of(const plan::Trial& trial, std::int64_t lanes,
                                           const std::string& device) {
  const BackboneSpec& backbone = backbone_spec(trial, catalog());
  train::NetworkSettings settings;
  settings.model = model_params(trial, backbone);
  settings.hosting = hosting_of(trial, catalog());
  settings.lanes = lanes;
  settings.bfloat16 = trial.config.at("train").at("precision") == "bfloat16";
  settings.fused = trial.config.at("train").at("kernels") == "fused";
  settings.device = device;
  return models::build_network(backbone.name, settings);
}

void measure_one(TrialRun& run, const Json& probe, const store::Checkpoint& weights,
                 const Catalog& catalog, const Corpora& corpora, const std::string& device,
                 const probes::ProgressSink& progress) {
  const plan::Trial& trial = run.trial;
  const auto network = network_of(trial, 1, device);
  train::load_weights(*network, weights);
  const auto language = language_of(trial.config.at("corpus"));
  const auto untrained = [&] {
    auto fresh = network_of(trial, 1, device);
    train::initialise(*fresh, {static_cast<std::uint64_t>(trial.seed)});
    return fresh;
  };
  const probes::Subject subject{.trial = trial,
                                .objective = objective_spec(trial.config.at("objective"), catalog),
                                .offer = backbone_spec(trial, catalog).offer,
                                .corpus = corpora.main(),
                                .language = language.get(),
                                .vocabulary = vocabulary_of(trial),
                                .network = *network,
                                .untrained = untrained,
                                .device = device,
                                .cache = corpora.cache(),
                                .phases = subject_phases(run, catalog, corpora, device)};
  const probes::Measurement made = probes::measure(subject, probe, progress);
  Json metrics = Json::object();
  for (const auto& [name, value] : made.metrics) metrics[name] = store::number_to_json(value);
  run.journal.write("measurement", {{"id", probe.at("id")},
                                    {"probe", probe.at("type")},
                                    {"metrics", metrics},
                                    {"details", made.details},
                                    {"samples", made.samples}});
}

}  // namespace ablate::worker
