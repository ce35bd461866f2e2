#include "experiments/commands/running/rank_sentence.h"

#include <fmt/core.h>

#include <vector>

#include "harness/base/number_text.h"
#include "harness/plan/price/time/rank_gain.h"
#include "harness/run/job/check_ranks.h"

namespace ablate::commands {

std::string rank_sentence(const plan::Plan& plan, const Catalog& catalog) {
  if (plan.trials.size() >= plan.estimate_workers) return "";
  std::vector<plan::RankedTrial> trials;
  const std::vector<plan::TrialTime> times = plan::trial_times(plan.trials, "cpu");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const plan::Trial& trial = plan.trials[i];
    if (trial.steps == 0) return "";  // a budget in seconds is spent by any number of ranks
    trials.push_back({times[i], trial.steps, trial.parameters.total});
  }
  const auto gain =
      plan::gain_by_ranks(trials, plan.estimate_workers, run::most_ranks(plan, catalog));
  if (!gain) return "";
  if (gain->pays())
    return fmt::format(
        "There are more cores than trials. With `ablate run --ranks {}`, {} processes train each "
        "trial together: about {}.",
        gain->ranks, gain->ranks, estimate_text(gain->seconds));
  return fmt::format(
      "There are more cores than trials, but `ablate run --ranks` would save little: a step takes "
      "about {} ms, and the exchange of its gradients {} ms.",
      significant(1e3 * gain->step_seconds, 2), significant(1e3 * gain->exchange_seconds, 2));
}

}  // namespace ablate::commands
