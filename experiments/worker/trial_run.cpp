// Reads what a trial's journal has, and makes batches, lanes and networks for the rest.

#include "experiments/worker/trial_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/data/language/language.h"
#include "harness/plan/trial/start.h"
#include "models/registry.h"

namespace ablate::worker {
namespace {

void check_corpus(const plan::ResolvedTrial& trial, const Corpora& corpora) {
  const std::string& hash = trial.own.corpora.front().hash;
  if (hash != corpora.main().hash())
    reject("trial {}: its corpus is {}, but the job has {}; plan it again", trial.id, hash,
           corpora.main().hash());
}

/// The ids of the measurements in a journal.
std::set<std::string> measured_ids(const store::Journal& journal) {
  std::set<std::string> ids;
  for (const Json& event : journal.events())
    if (event.at("event") == "measurement") ids.insert(event.at("id").get<std::string>());
  return ids;
}

}  // namespace

TrialRun::TrialRun(const plan::Trial& given, const std::filesystem::path& where,
                   const store::LeaseTicket& ticket)
    : trial(given), folder(where), journal(where / "journal.jsonl", ticket) {}

std::optional<TrialRun::Settled> TrialRun::settled() const {
  Settled last;
  for (const Json& event : journal.events())
    if (event.at("event") == "outcome") last = {event.at("outcome"), event.value("message", "")};
  if (last.outcome == "diverged") return last;
  if (last.outcome != "completed") return std::nullopt;
  const std::set<std::string> measured = measured_ids(journal);
  for (const std::string& id : trial.probes.ids())
    if (!measured.contains(id)) return std::nullopt;
  return last;
}

void TrialRun::resolve(const Catalog& catalog) { resolved = plan::resolve(trial, catalog); }

std::vector<MissingMeasurement> TrialRun::missing_measurements() const {
  const std::set<std::string> measured = measured_ids(journal);
  std::vector<MissingMeasurement> missing, last;
  for (const plan::ResolvedProbe& probe : resolved.probes) {
    for (const plan::PointOnTheWay& point : probe.on_the_way)
      if (!measured.contains(point.id)) missing.push_back({&probe, point.id, point.step});
    if (!measured.contains(probe.id)) last.push_back({&probe, probe.id, std::nullopt});
  }
  std::stable_sort(missing.begin(), missing.end(),
                   [](const auto& a, const auto& b) { return *a.step < *b.step; });
  missing.insert(missing.end(), last.begin(), last.end());
  return missing;
}

std::set<std::int64_t> TrialRun::missing_steps() const {
  std::set<std::int64_t> steps;
  for (const MissingMeasurement& missing : missing_measurements())
    if (missing.step) steps.insert(*missing.step);
  return steps;
}

void TrialRun::write_failure(const MissingMeasurement& wanted, const std::string& message) {
  const plan::ResolvedPhase& own = resolved.own;
  const bool language = language_of(own.corpora.front()) != nullptr;
  std::set<std::string> groups = {std::string(wanted.probe->spec->name)};
  for (const Metric& metric : wanted.probe->spec->metrics(
           wanted.probe->params,
           {*own.spec, own.params, resolved.model.backbone->offer, resolved.model.heads, language}))
    groups.insert(metric.name.substr(0, metric.name.find('.')));
  Json event = {{"id", wanted.id},
                {"probe", wanted.probe->spec->name},
                {"message", message},
                {"groups", groups}};
  if (wanted.step) event["step"] = *wanted.step;
  journal.write("failure", std::move(event));
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
  if (corpus.hash() != hash) damaged("{}: {}.corpus holds another corpus", cache_.string(), hash);
  return opened_.emplace(hash, corpus).first->second;
}

std::shared_ptr<const data::Batches> batches_of(const plan::ResolvedTrial& trial,
                                                std::size_t number, const Corpora& corpora) {
  check_corpus(trial, corpora);
  const plan::ResolvedPhase& phase = trial.phases.at(number);
  const data::BatchSettings settings{phase.packing, phase.train.integer("batch"),
                                     phase.context, phase.seed,
                                     phase.shape,   phase.steps};
  std::vector<data::BatchMember> members;
  for (const plan::ResolvedCorpus& corpus : phase.corpora)
    members.push_back({corpora.of(corpus.hash).training(), corpus.fraction});
  return std::make_shared<const data::Batches>(members, phase.objective, settings);
}

std::vector<train::TrainingPhase> phases_of(const plan::ResolvedTrial& trial,
                                            const Corpora& corpora) {
  std::vector<train::TrainingPhase> phases;
  for (std::size_t i = 0; i < trial.phases.size(); ++i) {
    const plan::ResolvedPhase& phase = trial.phases[i];
    const auto batches = batches_of(trial, i, corpora);
    phases.push_back({[batches](std::int64_t step) { return batches->step(step); },
                      batches->texts(), phase.flops, phase.objective.intended, phase.name,
                      phase.recorded_objective, phase.steps, phase.train,
                      phase.objective.needs.heads});
  }
  return phases;
}

train::TrainingLane lane_of(TrialRun& run, const Corpora& corpora) {
  const plan::ResolvedTrial& trial = run.resolved;
  train::TrainingLane lane{
      &run.trial, &run.journal, run.folder, {}, phases_of(trial, corpora), run.missing_steps()};
  if (!trial.start.empty()) lane.start = plan::start_file(corpora.cache(), trial.start);
  return lane;
}

Computing computing_of(const run::Job& job, const std::string& device) {
  const Json& precision = job.trials.at(0).config.at("train").at("precision");  // trials agree
  return {device, precision == "bfloat16" && job.task != run::Task::measure};
}

std::unique_ptr<train::Network> network_of(const plan::ResolvedTrial& trial, std::int64_t lanes,
                                           const Computing& computing) {
  train::NetworkSettings settings;
  settings.model = trial.model.params;
  settings.hosting = trial.hosting;
  settings.lanes = lanes;
  settings.bfloat16 = computing.bfloat16;
  settings.fused = trial.own.train.text("kernels") == "fused";
  settings.device = computing.device;
  return models::build_network(trial.model.backbone->name, settings);
}

}  // namespace ablate::worker
