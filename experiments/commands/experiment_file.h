// The experiment file that a command reads.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ablate::commands {

/// Adds FILE to a command. `file` must outlive it.
void add_experiment_file(CLI::App& command, std::string& file);

/// Whether add_experiment_file() was called for a command: FILE of others is a suite.
bool reads_experiment(const CLI::App& command);

/// The experiment file that FILE means: itself, or that of an experiment that comes with the program. Throws
/// std::invalid_argument for a name that is neither.
std::string experiment_file(const std::string& given);

}  // namespace ablate::commands
