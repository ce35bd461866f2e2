// What --help prints below the flags of a command.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ablate::commands {

/// Adds examples and the exit statuses to the help of the program and of every command.
void add_help(CLI::App& app);

/// The first example of the command that was given, as a line of its own; empty where there is none.
std::string example(const CLI::App& app);

}  // namespace ablate::commands
