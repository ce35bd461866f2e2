// What `ablate run` says before and after it trains.

#pragma once

#include <string>

#include "harness/plan/trial/plan.h"
#include "harness/run/chunks.h"
#include "harness/run/sweep.h"

namespace ablate::commands {

/// How much is to be run, and about how long that takes.
void print_outset(const plan::Plan& plan, const run::Todo& todo,
                  const run::SweepSettings& settings);

/// What became of the trials, and what to do next. `results`: their folder; `is_shard`: other shards have more of them.
void print_summary(const plan::Plan& plan, const run::SweepResult& result, double seconds,
                   const std::string& results, bool is_shard);

}  // namespace ablate::commands
