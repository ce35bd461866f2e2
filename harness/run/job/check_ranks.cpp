#include "harness/run/job/check_ranks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "harness/base/error.h"
#include "harness/plan/resolve/resolve.h"

namespace ablate::run {
namespace {

/// Calls `visit` with every phase of every arm: seeds change nothing here.
void each_phase(const plan::Plan& plan, const Catalog& catalog,
                const std::function<void(const std::string& arm, std::int64_t batch,
                                         bool couples_rows)>& visit) {
  std::set<std::string> visited;
  for (const plan::Trial& trial : plan.trials) {
    if (!visited.insert(trial.arm).second) continue;
    for (const plan::ResolvedPhase& phase : plan::resolve(trial, catalog).phases)
      visit(trial.arm, phase.train.integer("batch"), phase.objective.needs.couples_rows());
  }
}

}  // namespace

std::size_t most_ranks(const plan::Plan& plan, const Catalog& catalog) {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  each_phase(plan, catalog, [&](const std::string&, std::int64_t batch, bool couples_rows) {
    most = std::min(most, couples_rows ? 1 : static_cast<std::size_t>(batch));
  });
  return most;
}

void check_ranks(const plan::Plan& plan, const Catalog& catalog, std::size_t ranks) {
  if (ranks == 1) return;
  each_phase(plan, catalog, [&](const std::string& arm, std::int64_t batch, bool couples_rows) {
    if (batch < static_cast<std::int64_t>(ranks))
      reject(
          "--ranks {}: arm '{}' has {} texts in a batch, and each rank needs at least one; give "
          "fewer ranks, or raise train.batch",
          ranks, arm, batch);
    if (couples_rows)
      reject(
          "--ranks {}: arm '{}': each rank computes a part of the rows of a batch, but the losses "
          "of its objective depend on all of them; train it by one rank",
          ranks, arm);
  });
}

}  // namespace ablate::run
