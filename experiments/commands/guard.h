// Error handling of all commands: a message on standard error, and the matching exit code.

#pragma once

#include <functional>

namespace ablate::commands {

/// Runs a command and returns its exit code. An exception is printed as "ablate: ..." on standard
/// error. Its exit code is exit_usage for invalid requests, exit_damaged for files that do not
/// verify and exit_failure for everything else.
int guarded(const std::function<int()>& command);

}  // namespace ablate::commands
