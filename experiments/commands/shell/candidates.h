// What may stand at the end of a command line that is being typed.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"

namespace ablate::commands {

/// The words that may stand in place of the last of `words`, which begins with it, in alphabetical order:
/// commands and flags of `app`, experiments, arms of the experiment or results folder that is named before,
/// results folders, names that `describe` knows, and paths of --set with their values. `words`: those after
/// the program's name; the last one may be empty. Names of files are left to the shell. Never throws: where
/// a file cannot be read, its names are left out.
std::vector<std::string> candidates(const CLI::App& app, const Catalog& catalog,
                                    std::vector<std::string> words);

}  // namespace ablate::commands
