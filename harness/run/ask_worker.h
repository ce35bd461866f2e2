// Asks a worker something that leaves no record.

#pragma once

#include <filesystem>
#include <functional>

#include "harness/run/job/protocol.h"

namespace ablate::run {

/// Runs a worker on a job and passes its events on, in order. Its log is removed.
/// Throws std::runtime_error where it does not, with `failure` first and the end of its log last.
void ask_worker(const Job& job, const std::filesystem::path& worker,
                const std::filesystem::path& log, const std::string& failure,
                const std::function<void(const Json& event)>& take);

}  // namespace ablate::run
