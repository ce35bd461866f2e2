// Choosing a device, and LibTorch's process-wide settings. Its source is one of the two files that
// depend on LibTorch's version.

#pragma once

#include <cstdint>
#include <string>

#include "harness/base/json/json.h"

namespace ablate::train {

/// Resolves a device's name: "cpu", "cuda" (the first), "cuda:N", or "auto" (a GPU where there is
/// one). Returns "cpu" or "cuda:N". Throws std::invalid_argument where the device is not available
/// on this machine or in this LibTorch.
std::string chosen_device(const std::string& name);

/// The number of threads (at least 1) of this process's computations on the CPU.
void use_threads(int threads);

/// Sets LibTorch's process-wide options: the number of threads (at least 1), and denormals flushed
/// to 0. Call it before the first tensor.
void settle_library(int threads);

/// Chooses algorithms that give the same bits each time, where `device`, a name as chosen_device()
/// returns it, is the CPU. On CUDA some of them wait for the device, and no step could be recorded.
void choose_algorithms(const std::string& device);

/// {"libtorch": version, "cuda": whether this build has CUDA, "devices": ["cpu", "cuda:0" ...]}
Json about_library();

/// Peak resident memory of this process on the host, in bytes.
std::int64_t peak_memory();

}  // namespace ablate::train
