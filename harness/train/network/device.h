// The device and the library's process-wide settings. Its source is one of the two files that look
// at LibTorch's version.

#pragma once

#include <cstdint>
#include <string>

#include "harness/base/json/json.h"

namespace ablate::train {

/// The device of a name: "cpu", "cuda" (the first), "cuda:N", or "auto" (a GPU where there is one).
/// Throws std::invalid_argument where this machine or this LibTorch has no such device.
std::string chosen_device(const std::string& name);

/// Settles what LibTorch keeps for the whole process: threads (at least 1), deterministic
/// algorithms, denormals flushed to 0. Call before the first tensor.
void settle_library(int threads);

/// {"libtorch": version, "cuda": whether it was built in, "devices": ["cpu", "cuda:0" ...]}
Json about_library();

/// Most of the machine's own memory that this process has held, in bytes.
std::int64_t peak_memory();

}  // namespace ablate::train
