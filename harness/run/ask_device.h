// Asks a worker what a device can do.

#pragma once

#include <filesystem>
#include <string>

#include "harness/contract/catalog.h"

namespace ablate::run {

/// What trains on `device` ("cpu", "cuda:0"), where `here` is this machine's processor. Starts
/// `worker` for other devices than the CPU. Throws std::runtime_error, with the end of the worker's
/// log, where it does not answer, such as for a device that is not there.
Machine machine_of(const std::string& device, const Machine& here,
                   const std::filesystem::path& worker);

}  // namespace ablate::run
