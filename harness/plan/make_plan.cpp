// Goes from file to plan: reads, prepares, prices and checks the arms, then makes the trials.

#include "harness/plan/make_plan.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <thread>
#include <utility>

#include "harness/plan/prepare/corpora.h"
#include "harness/plan/prepare/identity.h"
#include "harness/plan/prepare/part.h"
#include "harness/plan/price/audit.h"
#include "harness/plan/price/banks.h"
#include "harness/plan/price/power.h"
#include "harness/plan/price/precision.h"
#include "harness/plan/price/primary.h"
#include "harness/plan/price/speed.h"
#include "harness/plan/resolve/versions.h"

namespace ablate::plan {
namespace {

/// The trial of an arm with a seed. `config`: that of any trial of the arm.
Trial trial_of(const std::string& arm, TrialConfig config, const std::vector<PlannedProbe>& probes,
               const Price& price, std::int64_t seed) {
  Trial trial;
  trial.config = std::move(config);
  trial.config["seed"] = seed;
  trial.id = id_of(trial.config);
  trial.arm = arm;
  trial.seed = seed;
  trial.probes = identified_probes(probes, trial.id);
  trial.parameters = price.parameters;
  trial.flops = price.flops();
  trial.steps = price.steps;
  trial.text_tokens = std::llround(price.text_tokens);
  trial.shape = price.rates.shape;
  for (const PhasePrice& phase : price.phases)
    if (!phase.name.empty()) trial.phases.push_back({phase.steps, phase.rates.shape});
  return trial;
}

/// The estimated seconds of all trials, if every core trains one at a time. `arm_of`: index of each
/// trial's arm; trials of an arm take the same time.
double estimate_of(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of) {
  const Speeds speeds = Speeds::read(speeds_file());
  std::map<std::size_t, double> seconds;  // by arm
  std::vector<double> pieces;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto [arm, first] = seconds.try_emplace(arm_of[i]);
    if (first) arm->second = speeds.seconds({trials[i]}, "cpu");
    pieces.push_back(arm->second);
  }
  return makespan(pieces, std::max(1u, std::thread::hardware_concurrency()));
}

/// Adds the part's trials, their banks and the estimate of their time.
void add_trials(const Experiment& experiment, const Prepared& prepared,
                const std::vector<Price>& prices, const Part& part, Plan& plan) {
  std::vector<TrialConfig> configs;  // by arm
  for (std::size_t arm = 0; arm < experiment.arms.size(); ++arm)
    configs.push_back(trial_config(experiment, prepared, arm, 0));
  std::vector<std::size_t> arm_of;
  plan.trials.reserve(part.trials.size());
  for (const auto& [arm, seed] : part.trials) {
    plan.trials.push_back(
        trial_of(experiment.arms[arm].name, configs[arm], prepared.probes, prices[arm], seed));
    arm_of.push_back(arm);
  }
  plan.banks = group(plan.trials, arm_of, experiment.arms, prices);
  plan.estimate_seconds = estimate_of(plan.trials, arm_of);
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
  const bool automatic_precision = resolve_precision(catalog.machine, experiment);
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
  plan.precision = precision_sentence(catalog.machine, experiment, automatic_precision);
  plan.power = power_sentence(experiment, count_comparisons(experiment, metrics));
  plan.resolved = resolved_json(experiment);
  return plan;
}

}  // namespace ablate::plan
