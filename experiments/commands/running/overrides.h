// The flags of the commands that read an experiment file.

#pragma once

#include <CLI/CLI.hpp>

#include "harness/plan/file/overrides.h"

namespace ablate::commands {

/// Adds --set, --arm, --only and --drop to a command. `overrides` must outlive it.
void add_overrides(CLI::App& command, plan::Overrides& overrides);

}  // namespace ablate::commands
