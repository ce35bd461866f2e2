// Pages for man(1), from the same declarations as --help.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ablate::commands {

/// The name of the page of what is typed: "ablate-run" of "ablate run".
std::string page_name(std::string name);

/// The page, in the macros of man(7), of the program or of one of its commands. `name`: what is typed, such as
/// "ablate run". Sections: name, synopsis, commands, options, examples, exit status, see also.
std::string man_page(const CLI::App& command, const std::string& name, const std::string& version);

}  // namespace ablate::commands
