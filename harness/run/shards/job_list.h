// The shards of an experiment as a list of commands, for whatever can run commands: GNU parallel, Snakemake, HTCondor,
// Kubernetes, a scheduler's array.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/run/shards/shard.h"

namespace ablate::run {

/// A command that runs a shard. It can be run again at any time, anywhere: what is done is not done again.
struct ShardJob {
  Shard shard;
  std::vector<std::string> argv;
  std::filesystem::path folder;  // to run it in: paths among its flags begin there
  std::int64_t cores = 1;
  std::int64_t gpus = 0;
  double memory = 0;                // bytes that it takes at most: an estimate
  double seconds = 0;               // that it takes, on this machine: an estimate
  std::filesystem::path done_file;  // is there once it is done
};

/// What all jobs of a list have in common.
struct JobRequest {
  std::vector<std::string> command;       // all but the shard
  std::filesystem::path results, folder;  // absolute; the latter: where paths among the flags begin
  std::string device = "cpu";
  std::size_t shards = 0;  // 0: such that each takes about ten minutes
  std::size_t ranks = 1;   // of each job, with a core or a GPU each
};

/// The jobs of a plan, each of which trains one trial at a time, or a bank on a GPU. There are at most as many as the plan has
/// trials. Throws std::invalid_argument where more are asked for.
std::vector<ShardJob> jobs_of(const plan::Plan& plan, const JobRequest& request);

/// {"shard", "folder", "argv", "cores", "gpus", "memory_mb", "seconds", "done_file", "retry_exit"}, in one line.
std::string json_line(const ShardJob& job);

/// Its command as a line for a shell. Throws std::invalid_argument where it would be several.
std::string shell_line(const ShardJob& job);

}  // namespace ablate::run
