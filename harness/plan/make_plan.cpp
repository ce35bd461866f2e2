// Goes from file to plan: reads, prepares, prices and checks the arms, then makes the trials.

#include "harness/plan/make_plan.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <utility>

#include "harness/plan/file/copies.h"
#include "harness/plan/prepare/corpora.h"
#include "harness/plan/prepare/identity.h"
#include "harness/plan/prepare/part.h"
#include "harness/plan/price/audit.h"
#include "harness/plan/price/banks.h"
#include "harness/plan/price/measuring.h"
#include "harness/plan/price/precision.h"
#include "harness/plan/price/primary.h"
#include "harness/plan/price/time/plan_time.h"
#include "harness/plan/read/resolved_json.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/seeds/power.h"
#include "harness/plan/seeds/trends.h"
#include "harness/plan/tuning/stage.h"

namespace ablate::plan {
namespace {

/// What the trials of an arm have in common.
struct TrialsOfArm {
  Trial any;  // of any seed, without ids
  SeedIds ids;
  ProbesOfArm probes;

  Trial of(std::int64_t seed) const {
    Trial trial = any;
    trial.config["seed"] = seed;
    trial.id = ids.of(seed);
    trial.seed = seed;
    trial.probes = probes.of(trial.id);
    return trial;
  }
};

TrialsOfArm trials_of(const Priced& priced, std::size_t arm) {
  const std::vector<PlannedProbe>& probes = priced.prepared.probes;
  const Price& price = priced.prices[arm];
  std::vector<std::vector<std::int64_t>> steps;  // after which each measures on the way
  steps.reserve(probes.size());
  for (const PlannedProbe& probe : probes)
    steps.push_back(measuring_steps(probe.on_the_way, price));
  Json config = trial_config(priced.experiment, priced.prepared, arm, 0);
  SeedIds ids(config);
  Trial trial;
  trial.config = std::move(config);
  trial.arm = priced.experiment.arms[arm].name;
  trial.parameters = price.parameters;
  trial.state_bytes = price.state_bytes;
  trial.flops = price.flops();
  trial.measuring_flops = price.measuring_flops();
  trial.steps = price.steps;
  trial.text_tokens = std::llround(price.text_tokens);
  trial.shape = price.rates.shape;
  for (const PhasePrice& phase : price.phases)
    if (!phase.name.empty()) trial.phases.push_back({phase.steps, phase.rates.shape});
  return {std::move(trial), std::move(ids), ProbesOfArm(probes, steps)};
}

/// Adds the part's trials, their banks and the estimate of their time.
void add_trials(const Priced& priced, const Part& part, std::size_t workers, Plan& plan) {
  const Experiment& experiment = priced.experiment;
  std::vector<TrialsOfArm> arms;
  arms.reserve(experiment.arms.size());
  for (std::size_t arm = 0; arm < experiment.arms.size(); ++arm)
    arms.push_back(trials_of(priced, arm));
  std::vector<std::size_t> arm_of;
  plan.trials.reserve(part.trials.size());
  for (const auto& [arm, seed] : part.trials) {
    plan.trials.push_back(arms[arm].of(seed));
    arm_of.push_back(arm);
  }
  plan.banks = group(plan.trials, arm_of, experiment.arms, priced.prices);
  estimate_time(arm_of, priced.prices, workers, plan);
}

/// Adds the arms, what each spends, and what is measured of it. `stage`: the arms of a stage; empty
/// without tuning. `own`: names of the arms that they are made from.
void add_arms(const Priced& priced, const std::vector<StageArm>& stage,
              const std::vector<std::string>& own, Plan& plan) {
  const Experiment& experiment = priced.experiment;
  plan.ledger = Json::array();
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const ResolvedArm& arm = experiment.arms[i];
    plan.arms.push_back({arm.name,
                         arm.label,
                         !stage.empty() && stage[i].copy ? own[stage[i].of] : "",
                         i == experiment.baseline,
                         std::string(arm.objective_spec->name),
                         {{"corpus", experiment.corpus},
                          {"model", arm.model},
                          {"objective", arm.objective},
                          {"train", arm.train}}});
    plan.ledger.push_back(ledger_row(arm.name, priced.prices[i]));
  }
  plan.metrics = metrics_json(priced.metrics);
  plan.resolved = resolved_json(experiment);
}

/// Adds what is said about all arms together. A copy of an arm at the common rate belongs to a
/// family of its own, so these are the experiment's arms, not those of a stage.
void add_sentences(const Catalog& catalog, const Priced& priced, bool automatic_precision,
                   Plan& plan) {
  const Experiment& experiment = priced.experiment;
  plan.warnings = warnings_of(experiment, priced.metrics, priced.prices);
  plan.corpora = describe_corpora(priced.prepared, plan.warnings);
  plan.probe_files = priced.prepared.probe_notes;
  plan.precision = precision_sentence(catalog.machine, experiment, automatic_precision);
  plan.comparisons = count_comparisons(experiment, priced.metrics);
  plan.power = power_sentence(experiment, plan.comparisons);
}

/// The complete experiment, as the plan of a part of it keeps it.
Json kept_by_part(const Priced& priced) {
  const auto& [experiment, prepared, prices, metrics] = priced;
  Faults ignored;  // arms that are left out need not match
  Json complete = complete_json(experiment, prepared);
  complete["match"] = audit_match(experiment, prices, ignored);
  complete["power"] = power_sentence(experiment, count_comparisons(experiment, metrics));
  std::vector<std::string> warnings = warnings_of(experiment, metrics, prices);
  describe_corpora(prepared, warnings);
  complete["warnings"] = std::move(warnings);
  return complete;
}

/// Which plan of an experiment is asked for.
struct Stage {
  bool tunes = false;
  std::vector<double> rates;     // to try; empty: those of the file
  const Tuned* tuned = nullptr;  // what was chosen; null before
};

/// Adds the arms and trials of the stage. `all`: the experiment without the arms that were left out.
void add_stage(const Priced& all, const Overrides& overrides, const Stage& stage,
               const std::optional<Criterion>& criterion, Part part, Plan& plan) {
  const Experiment& experiment = all.experiment;
  std::vector<std::string> own;
  for (const ResolvedArm& arm : experiment.arms) own.push_back(arm.name);
  if (!criterion || (!stage.tunes && stage.tuned == nullptr)) {
    add_trials(all, part, overrides.workers, plan);
    add_arms(all, {}, own, plan);
    if (!criterion) return;
    plan.tuning = before_choice(experiment, *criterion, plan);
    plan.trials.clear();
    plan.banks.clear();
    return;
  }
  const std::vector<double>& rates = stage.rates.empty() ? experiment.tuning->rates : stage.rates;
  const std::vector<StageArm> arms =
      stage.tunes ? tuning_arms(experiment, rates) : result_arms(experiment, *stage.tuned);
  const Priced expanded = staged(all, arms);
  Faults none;
  part = part_of(expanded.experiment, overrides, none);
  add_trials(expanded, part, overrides.workers, plan);
  add_arms(expanded, arms, own, plan);
  if (!stage.tunes) {
    plan.tuning = to_json(*stage.tuned);
    return;
  }
  plan.tuning = {{"stage", "tuning"},
                 {"criterion", metric_json(criterion->metric)},
                 {"rates", rates},
                 {"seeds", experiment.seeds},
                 {"section", experiment.tuning->section}};
  plan.warnings.clear();  // those of the result are told with it
  plan.power = "";
}

/// Makes the plan of a stage of the experiment in `file`; without "tuning" there is one.
Plan plan_stage(const Catalog& catalog, const std::filesystem::path& file,
                const Overrides& overrides, const Stage& stage) {
  Faults faults;
  Priced all{read_experiment(catalog, file, overrides, faults), {}, {}, {}};
  Experiment& experiment = all.experiment;
  all.metrics = metrics_of(catalog, experiment, faults);
  check_primary(catalog, experiment, all.metrics, faults);
  check_trends(experiment, all.metrics, faults);
  check_corpus(experiment, faults);
  refuse_part_of_tuned(experiment, overrides, faults);
  faults.throw_if_any();
  std::optional<Criterion> criterion;
  if (experiment.tuning) criterion = find_criterion(catalog, experiment, faults);
  Part part = part_of(experiment, overrides, faults);
  faults.throw_if_any();
  if (stage.tunes) {
    experiment = tuning_experiment(experiment, *criterion);
    all.metrics = metrics_of(catalog, experiment, faults);
    part = part_of(experiment, {}, faults);  // other seeds
  }
  Plan plan;
  const bool automatic_precision = resolve_precision(catalog.machine, experiment);
  all.prepared = prepare(catalog, experiment, faults);
  faults.throw_if_any();
  all.prices = price_arms(experiment, all.prepared, faults);
  check_held_out(experiment, all.prepared, faults);
  check_measuring_steps(experiment, all.prices, faults);
  faults.throw_if_any();
  for (std::string& sentence : misfits_of(catalog, experiment, all.prepared, faults))
    all.prepared.warnings.push_back(std::move(sentence));
  add_measuring_costs(catalog, experiment, all.prices);
  check_starts(experiment, all.prepared, all.prices, faults);
  if (!part.complete) plan.part_of = kept_by_part(all);
  all = restricted(all, part);
  plan.match = audit_match(experiment, all.prices, faults);
  faults.throw_if_any();

  plan.name = experiment.name;
  plan.launcher = experiment.launcher;
  plan.files = copies_of(*experiment.sources);
  plan.question = experiment.question;
  plan.vocabulary = all.prepared.vocabulary;
  plan.corpus = all.prepared.corpus_file;
  plan.analysis = experiment.analysis;
  add_sentences(catalog, all, automatic_precision, plan);
  add_stage(all, overrides, stage, criterion, std::move(part), plan);
  return plan;
}

}  // namespace

Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides) {
  Plan plan = plan_stage(catalog, file, overrides, {});
  if (plan.tuning.is_null()) return plan;
  const Plan tuning = make_tuning_plan(catalog, file, overrides);
  double flops = 0;
  for (const Trial& trial : tuning.trials) flops += trial.flops;
  plan.tuning["trials"] = tuning.trials.size();
  plan.tuning["flops"] = flops;
  plan.tuning["estimate_seconds"] = tuning.estimate_seconds;
  plan.estimate_seconds =
      tuning.estimate_seconds + plan.tuning["result"]["estimate_seconds"].back().get<double>();
  return plan;
}

Plan make_tuning_plan(const Catalog& catalog, const std::filesystem::path& file,
                      const Overrides& overrides, const std::vector<double>& rates) {
  return plan_stage(catalog, file, overrides, {.tunes = true, .rates = rates});
}

Plan make_tuned_plan(const Catalog& catalog, const std::filesystem::path& file,
                     const Overrides& overrides, const Tuned& tuned) {
  return plan_stage(catalog, file, overrides, {.tuned = &tuned});
}

}  // namespace ablate::plan
