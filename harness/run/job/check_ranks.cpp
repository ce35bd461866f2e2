#include "harness/run/job/check_ranks.h"

#include <set>

#include "harness/base/error.h"
#include "harness/plan/resolve/resolve.h"

namespace ablate::run {

void check_ranks(const plan::Plan& plan, const Catalog& catalog, std::size_t ranks) {
  if (ranks == 1) return;
  std::set<std::string> checked;  // arms: seeds change nothing here
  for (const plan::Trial& trial : plan.trials) {
    if (!checked.insert(trial.arm).second) continue;
    for (const plan::ResolvedPhase& phase : plan::resolve(trial, catalog).phases) {
      const std::int64_t batch = phase.train.integer("batch");
      if (batch < static_cast<std::int64_t>(ranks))
        reject(
            "--ranks {}: arm '{}' has {} texts in a batch, and each rank needs at least one; give "
            "fewer ranks, or raise train.batch",
            ranks, trial.arm, batch);
      if (phase.objective.needs.couples_rows())
        reject(
            "--ranks {}: arm '{}': each rank computes a part of the rows of a batch, but the "
            "losses of its objective depend on all of them; train it by one rank",
            ranks, trial.arm);
    }
  }
}

}  // namespace ablate::run
