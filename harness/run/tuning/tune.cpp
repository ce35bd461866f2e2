#include "harness/run/tuning/tune.h"

#include <fmt/ranges.h>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/run/tuning/tried.h"

namespace ablate::run {
namespace {

/// What a plan has found so far, with everything but the common rate.
plan::Tuned tuned_by(const plan::Plan& plan, std::vector<plan::TunedArm> arms,
                     std::int64_t extensions) {
  const Json& criterion = plan.tuning.at("criterion");
  const bool higher = criterion.at("better") == name_of(Better::higher);
  return {.criterion = criterion,
          .better = higher ? Better::higher : Better::lower,
          .rates = plan.tuning.at("rates").get<std::vector<double>>(),
          .seeds = plan.tuning.at("seeds").get<std::vector<std::int64_t>>(),
          .extensions = extensions,
          .arms = std::move(arms)};
}

/// Chooses a rate for every arm.
void choose(plan::Tuned& tuned) {
  for (plan::TunedArm& arm : tuned.arms) arm.choice = plan::choose_rate(arm.tried, tuned.better);
}

void refuse_divergence(const plan::Tuned& tuned) {
  std::vector<std::string> arms;
  for (const plan::TunedArm& arm : tuned.arms)
    if (!arm.choice) arms.push_back(arm.arm);
  if (!arms.empty())
    reject(
        "tuning: trials of {} diverged at every learning rate, {:g} to {:g}; give smaller ones "
        "(tuning.learning_rate)",
        fmt::join(arms, ", "), tuned.rates.front(), tuned.rates.back());
}

/// The name of the experiment's baseline.
const std::string& baseline_in(const plan::Plan& plan) {
  for (const plan::Plan::Arm& arm : plan.arms)
    if (arm.baseline) return arm.of;
  throw std::logic_error("a tuning plan has no baseline");
}

std::string extension_note(const plan::Tuned& tuned, const std::vector<double>& rates) {
  std::vector<std::string> at_edge;
  for (const plan::TunedArm& arm : tuned.arms)
    if (!arm.choice || arm.choice->edges.any()) at_edge.push_back(arm.arm);
  return fmt::format(
      "tuning: {} {} best at an edge of the learning rates, which are extended for all arms: {:g} "
      "to {:g}",
      fmt::join(at_edge, ", "), at_edge.size() == 1 ? "does" : "do", rates.front(), rates.back());
}

}  // namespace

TuningResult tune(const TuningStage& stage, const std::filesystem::path& results) {
  plan::Plan plan = stage.plan_with({});
  for (std::int64_t extensions = 0;; ++extensions) {
    std::optional<std::vector<plan::TunedArm>> tried = tried_by(plan, results);
    if (!tried) {
      const int code = stage.run(plan);
      tried = tried_by(plan, results);
      if (!tried) return {std::nullopt, code == exit_ok ? exit_failure : code};
      if (code != exit_ok && code != exit_some_failed) return {std::nullopt, code};
    }
    plan::Tuned tuned = tuned_by(plan, std::move(*tried), extensions);
    choose(tuned);
    std::vector<std::optional<plan::RateChoice>> choices;
    for (const plan::TunedArm& arm : tuned.arms) choices.push_back(arm.choice);
    const std::int64_t count = plan.tuning.at("section").at("extension");
    const std::vector<double> rates = plan::extended(tuned.rates, plan::edges_of(choices), count);
    if (extensions == kMaxExtensions || rates == tuned.rates) {
      refuse_divergence(tuned);
      tuned.common = tuned.arm(baseline_in(plan)).choice->rate;
      return {std::move(tuned), exit_ok};
    }
    stage.note(extension_note(tuned, rates));
    plan = stage.plan_with(rates);
  }
}

}  // namespace ablate::run
