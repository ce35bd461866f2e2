// What `nightly` and `gate` do with a night: judge it, write its pages, tell the verdict.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "harness/nightly/history.h"

namespace ablate::commands {

/// How a night's verdict is told.
struct VerdictOptions {
  bool json = false;
  std::string inconclusive = "tell";  // the exit status of an inconclusive night: 5, or 0, or 4
  std::string notify;                 // a shell command that is given the verdict
  std::string annotate;  // "github", "none", or empty: where the environment says GitHub
};

/// Adds --json, --inconclusive, --notify and --annotate.
void add_verdict_options(CLI::App& command, VerdictOptions& options);

/// Prints a line of progress on standard error, at once.
void say(const std::string& line);

/// Judges the night in a folder, writes its pages there, prints the verdict, tells it to the command of
/// --notify, and returns its exit code, which a command that fails does not change.
int report_night(const std::filesystem::path& night, const VerdictOptions& options);

/// Writes the pages over all nights of a nightly folder and its SQLite index, and returns the first
/// page.
std::filesystem::path write_history(const std::filesystem::path& home,
                                    const nightly::History& history);

}  // namespace ablate::commands
