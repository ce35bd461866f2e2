// Earlier choices of the number of lanes, in a file of the cache.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/run/job/lane_choice.h"

namespace ablate::run {

/// The choice that the file has for `key`; empty where there is none or it cannot be read.
std::optional<LaneChoice> find_lanes(const std::filesystem::path& file, const std::string& key);

/// Adds the choice to the file, or replaces the one for `key`. Throws std::runtime_error where the
/// file cannot be written.
void keep_lanes(const std::filesystem::path& file, const std::string& key,
                const LaneChoice& choice);

}  // namespace ablate::run
