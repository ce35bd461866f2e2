// The scripts that Slurm runs: arrays of shards, and the job that reports.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/run/shards/job_list.h"

namespace ablate::run {

/// Shards that go into one array: those whose numbers, from 0, begin at `offset`.
struct SlurmArray {
  std::size_t offset = 0;
  std::vector<std::size_t> elements;  // ascending: number of the shard less the offset
  std::int64_t minutes = 0;           // that a job may take
};

/// Divides shards, given by their indices in `jobs`, among arrays whose elements are below `limit`, which is Slurm's
/// MaxArraySize. `minutes`: the time limit of a job; 0: one and a half times what is estimated, and at least ten minutes.
std::vector<SlurmArray> slurm_arrays(const std::vector<ShardJob>& jobs,
                                     const std::vector<std::size_t>& indices, std::size_t limit,
                                     std::int64_t minutes);

/// Numbers as Slurm writes them: "0-2,5".
std::string ranges_of(const std::vector<std::size_t>& ascending);

/// What all scripts of a launch have in common.
struct SlurmLaunch {
  std::string name;               // of the experiment
  std::filesystem::path results;  // absolute
  Json settings;                  // "launcher.slurm", resolved
};

/// Throws std::invalid_argument where a setting, or the path of the results, has characters that Slurm takes for something
/// else, or that could end a line of a script.
void check_launch(const SlurmLaunch& launch);

/// The script of an array. Its jobs stop with a checkpoint two minutes before their time limit and queue themselves again.
/// Requires: check_launch() has passed.
std::string array_script(const SlurmLaunch& launch, const std::vector<ShardJob>& jobs,
                         const SlurmArray& array);

/// The script of the job that makes the report when all others have ended. `program`: ablate.
std::string report_script(const SlurmLaunch& launch, const std::string& program);

}  // namespace ablate::run
