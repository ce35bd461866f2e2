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

/// What Slurm says of the shards of a results folder.
struct SlurmState {
  bool answers = true;     // false: there is no Slurm here, or it refuses
  std::size_t shards = 0;  // of the last launch
  std::size_t running = 0, waiting = 0;
  std::vector<std::size_t> lost;  // from 1: they have no job and are not done

  std::string text() const;  // a sentence
};

/// Sets `json` to {"answers", "shards", "running", "waiting", "without_job": shards, from 1}; the last three where Slurm
/// answers.
void to_json(Json& json, const SlurmState& state);

/// The state of what was given to Slurm from a results folder; none where nothing was.
std::optional<SlurmState> slurm_state(const std::filesystem::path& results);

}  // namespace ablate::run
