// What every command does about errors: one line on standard error, and the exit code that fits.

#pragma once

#include <functional>

namespace ablate::commands {

/// Runs a command and returns its exit code. An exception becomes "ablate: ..." on standard error
/// and exit_usage for what was asked wrongly, exit_damaged for what does not verify, else
/// exit_failure.
int guarded(const std::function<int()>& command);

}  // namespace ablate::commands
