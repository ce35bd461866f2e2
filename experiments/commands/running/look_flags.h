// The flags of an experiment that is run until it is decided.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>

#include "harness/plan/file/overrides.h"
#include "harness/plan/seeds/looks.h"
#include "harness/run/sequential/run_looks.h"

namespace ablate::commands {

/// What the flags say.
struct LookFlags {
  bool until_decided = false;
  plan::LookLimits limits;
};

/// Adds --until-decided, --cap and --group to a command. `flags` must outlive it.
void add_look_flags(CLI::App& command, LookFlags& flags);

/// Throws std::invalid_argument for flags that do not go together.
void check_look_flags(const LookFlags& flags, const plan::Overrides& overrides);

/// Makes the plan of an experiment with these overrides.
using MakePlan = std::function<plan::Plan(const plan::Overrides& overrides)>;

/// The plan of the experiment with the seeds of a look, counted from 1. `own`: its plan with its own
/// seeds.
plan::Plan plan_at_look(const MakePlan& make, plan::Overrides overrides, const plan::Plan& own,
                        const statistics::Looks& looks, std::size_t look);

/// What a results folder says after a look: whether every arm has a verdict that more seeds cannot
/// change, and the verdicts.
run::LookResult judged(const std::filesystem::path& results);

}  // namespace ablate::commands
