// The command that runs a shard, for whoever starts it elsewhere.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/plan/file/overrides.h"

namespace ablate::commands {

/// The command of all shards of an experiment, without --shard: the same file, changed by the same flags, from any folder.
/// `results`: absolute. `ranks`: that train a trial together, on a device each.
std::vector<std::string> shard_command(const std::filesystem::path& file,
                                       const std::filesystem::path& results,
                                       const std::string& device, std::size_t ranks,
                                       const plan::Overrides& overrides);

}  // namespace ablate::commands
