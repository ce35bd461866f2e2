// What `nightly` and `gate` do with a night: judge it, write its pages, tell the verdict.

#pragma once

#include <filesystem>

#include "harness/nightly/history.h"

namespace ablate::commands {

/// Judges the night in a folder, writes its pages there, prints the verdict and returns its exit
/// code.
int report_night(const std::filesystem::path& night, bool json);

/// Writes the pages over all nights of a nightly folder and its SQLite index, and returns the first
/// page.
std::filesystem::path write_history(const std::filesystem::path& home,
                                    const nightly::History& history);

}  // namespace ablate::commands
