// Goes from file to plan: reads, prepares, prices and checks the arms, then makes the trials.

#include "harness/plan/make_plan.h"

#include <fmt/core.h>

#include <cmath>
#include <thread>

#include "harness/plan/prepare/corpora.h"
#include "harness/plan/prepare/identity.h"
#include "harness/plan/prepare/part.h"
#include "harness/plan/price/audit.h"
#include "harness/plan/price/banks.h"
#include "harness/plan/price/power.h"
#include "harness/plan/price/precision.h"
#include "harness/plan/price/primary.h"
#include "harness/plan/price/speed.h"

namespace ablate::plan {
namespace {

Trial trial_of(const Experiment& experiment, const Prepared& prepared, std::size_t arm,
               const Price& price, std::int64_t seed) {
  Trial trial;
  trial.config = trial_config(experiment, prepared, arm, seed);
  trial.id = id_of(trial.config);
  trial.arm = experiment.arms[arm].name;
  trial.seed = seed;
  trial.probes = identified_probes(prepared.probes, trial.id);
  trial.parameters = price.parameters;
  trial.flops = price.flops();
  trial.steps = price.steps;
  trial.text_tokens = std::llround(price.text_tokens);
  trial.shape = price.rates.shape;
  for (const PhasePrice& phase : price.phases)
    if (!phase.name.empty()) trial.phases.push_back({phase.steps, phase.rates.shape});
  return trial;
}

/// The estimated seconds of all trials, if every core trains one at a time.
double estimate_of(const std::vector<Trial>& trials) {
  const Speeds speeds = Speeds::read(speeds_file());
  std::vector<double> pieces;
  for (const Trial& trial : trials) pieces.push_back(speeds.seconds({trial}, "cpu"));
  return makespan(pieces, std::max(1u, std::thread::hardware_concurrency()));
}

/// Adds the part's trials, their banks and the estimate of their time.
void add_trials(const Experiment& experiment, const Prepared& prepared,
                const std::vector<Price>& prices, const Part& part, Plan& plan) {
  std::vector<std::size_t> arm_of;
  for (const auto& [arm, seed] : part.trials) {
    plan.trials.push_back(trial_of(experiment, prepared, arm, prices[arm], seed));
    arm_of.push_back(arm);
  }
  plan.banks = group(plan.trials, arm_of, experiment.arms, prices);
  plan.estimate_seconds = estimate_of(plan.trials);
}

/// The complete experiment, as the plan of a part of it keeps it.
Json kept_by_part(const Experiment& experiment, const Prepared& prepared,
                  const std::vector<Price>& prices, const MetricsByArm& metrics) {
  Faults ignored;  // arms that are left out need not match
  Json complete = complete_json(experiment, prepared);
  complete["match"] = audit_match(experiment, prices, ignored);
  complete["power"] = power_sentence(experiment, count_comparisons(experiment, metrics));
  std::vector<std::string> warnings = warnings_of(experiment, metrics, prices);
  describe_corpora(prepared, warnings);
  complete["warnings"] = std::move(warnings);
  return complete;
}

}  // namespace

Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides) {
  Faults faults;
  Experiment experiment = read_experiment(catalog, file, overrides, faults);
  MetricsByArm metrics = metrics_of(catalog, experiment, faults);
  check_primary(catalog, experiment, metrics, faults);
  check_corpus(experiment, faults);
  faults.throw_if_any();
  const Part part = part_of(experiment, overrides, faults);
  faults.throw_if_any();
  Plan plan;
  plan.automatic_precision = resolve_precision(catalog.machine, experiment);
  Prepared prepared = prepare(catalog, experiment, faults);
  faults.throw_if_any();
  std::vector<Price> prices = price_arms(experiment, prepared, faults);
  check_held_out(experiment, prepared, faults);
  faults.throw_if_any();
  check_starts(experiment, prepared, prices, faults);
  if (!part.complete) plan.part_of = kept_by_part(experiment, prepared, prices, metrics);
  experiment = restricted(experiment, part);
  prepared = restricted(prepared, part);
  prices = restricted(prices, part);
  metrics = restricted(metrics, experiment);
  plan.match = audit_match(experiment, prices, faults);
  faults.throw_if_any();

  plan.name = experiment.name;
  plan.question = experiment.question;
  plan.vocabulary = prepared.vocabulary;
  plan.corpus = prepared.corpus_file;
  plan.ledger = Json::array();
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const ResolvedArm& arm = experiment.arms[i];
    plan.arms.push_back({arm.name,
                         arm.label,
                         i == experiment.baseline,
                         std::string(arm.objective_spec->name),
                         {{"corpus", experiment.corpus},
                          {"model", arm.model},
                          {"objective", arm.objective},
                          {"train", arm.train}}});
    plan.ledger.push_back(ledger_row(arm.name, prices[i]));
  }
  add_trials(experiment, prepared, prices, part, plan);
  plan.analysis = experiment.analysis.section;
  plan.metrics = metrics_json(metrics);
  plan.warnings = warnings_of(experiment, metrics, prices);
  plan.corpora = describe_corpora(prepared, plan.warnings);
  plan.precision = precision_sentence(catalog.machine, experiment, plan.automatic_precision);
  plan.power = power_sentence(experiment, count_comparisons(experiment, metrics));
  plan.resolved = resolved_json(experiment);
  return plan;
}

}  // namespace ablate::plan
