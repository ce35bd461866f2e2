#include "harness/plan/tuning/stage.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "harness/base/number_text.h"
#include "harness/plan/file/sweep.h"

namespace ablate::plan {
namespace {

/// The name of an arm at a rate, in the form of the points of a sweep.
std::string name_at(const std::string& arm, double rate) {
  const std::string setting = "learning_rate=" + shortest(rate);
  if (arm.ends_with(']')) return fmt::format("{},{}]", arm.substr(0, arm.size() - 1), setting);
  return fmt::format("{}[{}]", arm, setting);
}

StageArm copy_at(const Experiment& experiment, std::size_t of, double rate) {
  const ResolvedArm& arm = experiment.arms[of];
  const std::string label =
      arm.label.empty() ? "" : fmt::format("{} at rate {}", arm.label, plain_number(rate));
  return {of, name_at(arm.name, rate), label, rate, true};
}

/// Trials at the common rate beside those of every arm's own, at most: none of the baseline.
double maximum_growth(const Experiment& experiment) {
  const auto arms = static_cast<double>(experiment.arms.size());
  return (2 * arms - 1) / arms;
}

}  // namespace

bool tries_rates(const Plan& plan) {
  return plan.tuning.is_object() && plan.tuning.at("stage") == "tuning";
}

std::vector<StageArm> tuning_arms(const Experiment& experiment, const std::vector<double>& rates) {
  std::vector<StageArm> arms;
  for (std::size_t of = 0; of < experiment.arms.size(); ++of)
    for (const double rate : rates) arms.push_back(copy_at(experiment, of, rate));
  return arms;
}

std::vector<StageArm> result_arms(const Experiment& experiment, const Tuned& tuned) {
  std::vector<StageArm> arms;
  for (std::size_t of = 0; of < experiment.arms.size(); ++of) {
    const ResolvedArm& arm = experiment.arms[of];
    const double own = tuned.arm(arm.name).choice.value().rate;
    arms.push_back({of, arm.name, arm.label, own});
    if (own != tuned.common) arms.push_back(copy_at(experiment, of, tuned.common));
  }
  return arms;
}

Experiment tuning_experiment(const Experiment& experiment, const Criterion& criterion) {
  Experiment tuning = experiment;
  tuning.question =
      fmt::format("Which learning rate is best for each arm, by {}?", criterion.metric.name);
  tuning.seeds = experiment.tuning->seeds;
  tuning.development = experiment.tuning->development;
  tuning.probes = {criterion.probe};
  tuning.probes.front().on_the_way = {};
  Json analysis = experiment.analysis.section;
  analysis["primary"] = criterion.metric.name;
  analysis.erase("smallest_effect");
  analysis.erase("trends");
  analysis.get_to(tuning.analysis);
  tuning.warnings.clear();
  return tuning;
}

Json before_choice(const Experiment& experiment, const Criterion& criterion, const Plan& plan) {
  const Tuning& tuning = *experiment.tuning;
  const double growth = maximum_growth(experiment);
  const auto trials = static_cast<double>(plan.trials.size());
  return {{"stage", "before"},
          {"criterion", metric_json(criterion.metric)},
          {"rates", tuning.rates},
          {"seeds", tuning.seeds},
          {"section", tuning.section},
          {"result",
           {{"trials", {plan.trials.size(), std::llround(growth * trials)}},
            {"estimate_seconds", {plan.estimate_seconds, growth * plan.estimate_seconds}}}}};
}

void refuse_part_of_tuned(const Experiment& experiment, const Overrides& overrides,
                          Faults& faults) {
  if (!experiment.tuning) return;
  const auto refuse = [&](const char* flag, const std::vector<std::string>& given) {
    if (given.empty()) return;
    faults.add(
        {.flag = fmt::format("{} {}", flag, given.front().substr(0, 200)),
         .rank = Sources::kMaxFiles},
        "no part of an experiment with \"tuning\" can be run",
        "every arm tries the same learning rates, which other arms may extend: take arms out "
        "of the file, or remove \"tuning\"");
  };
  refuse("--only", overrides.only);
  refuse("--drop", overrides.drop);
}

Priced restricted(const Priced& all, const Part& part) {
  Priced some{restricted(all.experiment, part),
              restricted(all.prepared, part),
              restricted(all.prices, part),
              {}};
  some.metrics = restricted(all.metrics, some.experiment);
  return some;
}

Priced staged(const Priced& all, const std::vector<StageArm>& arms) {
  Part part;
  part.seeds = all.experiment.seeds;
  for (const StageArm& arm : arms) {
    part.trials.emplace_back(part.arms.size(), 0);  // so that the baseline counts as selected
    part.arms.push_back(arm.of);
  }
  Priced some = restricted(all, part);
  some.metrics.clear();
  for (std::size_t i = 0; i < arms.size(); ++i) {
    ResolvedArm& arm = some.experiment.arms[i];
    some.metrics[arms[i].name] = all.metrics.at(arm.name);
    arm.name = arms[i].name;
    arm.label = arms[i].label;
    arm.train["learning_rate"] = arms[i].rate;
  }
  return some;
}

}  // namespace ablate::plan
