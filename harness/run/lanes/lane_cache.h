// Which numbers of lanes were chosen before, kept in a file of the cache.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/run/lanes/lane_choice.h"

namespace ablate::run {

/// The choice that the file keeps by this key; nothing where it has none, or none that can be read:
/// then it is to be measured.
std::optional<LaneChoice> find_lanes(const std::filesystem::path& file, const std::string& key);

/// Keeps the choice beside those that are there. Throws std::runtime_error where the file cannot be
/// written.
void keep_lanes(const std::filesystem::path& file, const std::string& key,
                const LaneChoice& choice);

}  // namespace ablate::run
