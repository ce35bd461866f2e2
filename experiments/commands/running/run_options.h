// The options of `ablate run`, and the settings of the sweep that they ask for.

#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/running/look_flags.h"
#include "harness/plan/file/overrides.h"
#include "harness/run/sweep_settings.h"

namespace ablate::commands {

/// What the command line of `ablate run` says.
struct RunOptions {
  std::string file;
  std::string results;
  plan::Overrides overrides;
  std::size_t workers = 0;               // 0: one per core, or one per GPU
  std::optional<std::size_t> measurers;  // none: one per core that no device's worker needs
  std::vector<std::string> devices;
  std::string lanes = "auto";  // one on the CPU; what a worker measures elsewhere
  std::size_t ranks = 1;       // processes that train a bank together
  double checkpoint_seconds = 60;
  double grace_seconds = 120;
  double lease_seconds = 120;  // of a shard
  std::string shard;           // such as "3/16"; empty: all
  std::string launcher;        // "slurm"; empty: this machine
  std::size_t shards = 0;      // for the launcher; 0: such that each takes about ten minutes
  bool dry_run = false;        // the launcher submits nothing
  std::string progress = "auto";
  bool retry_failed = false;
  bool fail_fast = false;
  bool wait = false;
  bool add = false;  // to a results folder that holds another plan
  bool report = false;
  LookFlags looks;
};

constexpr std::size_t kMaxProcesses = 4096;  // of --workers and of --measurers
constexpr std::size_t kMaxRanks = 256;       // of --ranks

/// Adds --workers to a command. `workers` must outlive it; 0, its value where the option is absent,
/// stands for `by_default`.
void add_workers(CLI::App& command, std::size_t& workers,
                 const std::string& by_default = "one per core, or one per GPU");

/// Adds --progress to a command. `options` must outlive it.
void add_progress(CLI::App& command, RunOptions& options);

/// `name`, the value of `flag`. Throws std::invalid_argument unless it has the form of a device.
const std::string& checked_device(std::string_view flag, const std::string& name);

/// The number of lanes that was given; nothing for "auto". Throws std::invalid_argument for anything
/// else.
std::optional<std::size_t> given_lanes(const std::string& text);

/// Does what `ablate run` does with these options; returns its exit code.
int run_experiment(const Program& program, const RunOptions& options);

/// The settings of the sweep. Throws std::invalid_argument for a device or a number of lanes that
/// is not one, for a worker that cannot be executed, and for paths that a worker cannot be told.
run::SweepSettings settings_of(const Program& program, const RunOptions& options);

}  // namespace ablate::commands
