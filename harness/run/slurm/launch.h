// Gives an experiment to Slurm, and says what has become of it.

#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/run/shards/job_list.h"
#include "harness/run/slurm/slurm_script.h"
#include "harness/run/sweep_settings.h"

namespace ablate::run {

/// Submits the shards of a plan that are neither done nor in the queue, as arrays, and a job that reports when these have
/// ended. Writes the scripts and the numbers of the jobs to slurm/ in the results folder, and what it does to `out`. With
/// `dry_run` it prints the scripts and submits nothing. Returns an exit code. Throws std::invalid_argument where Slurm is not
/// there, refuses, or has jobs of an earlier launch that was cut into another number of shards. Requires: the plan is frozen,
/// unless `dry_run`.
int launch_slurm(const plan::Plan& plan, const std::vector<ShardJob>& jobs,
                 const SlurmLaunch& launch, const SweepSettings& settings, bool dry_run,
                 std::ostream& out);

/// What Slurm says of the jobs of a results folder, in a sentence: how many wait, run, and are gone without having done their
/// shard. Empty where nothing was given to Slurm from here.
std::string slurm_sentence(const std::filesystem::path& results);

}  // namespace ablate::run
