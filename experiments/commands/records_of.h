// The records of a results folder that a command line names.

#pragma once

#include <string>

#include "harness/store/index/records.h"

namespace ablate::commands {

/// The records of a results folder. Throws std::invalid_argument, so that the exit code is
/// exit_usage, if it holds no results; otherwise as store::load_records().
store::Records records_of(const std::string& results);

}  // namespace ablate::commands
