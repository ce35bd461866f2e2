// The commands and flags that the program declares, whether or not they were given.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ablate::commands {

/// The commands of the program, or those below one of them, in the order of their declaration.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// The long flags of the program or of a command, such as "--help".
std::vector<std::string> flags_of(const CLI::App& app);

}  // namespace ablate::commands
