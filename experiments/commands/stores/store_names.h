// What documents call results folders.

#pragma once

#include <string>
#include <vector>

namespace ablate::commands {

/// What documents call the results folders: the last part of each path or, where two end alike, the
/// paths from the current folder.
std::vector<std::string> store_names(const std::vector<std::string>& folders);

}  // namespace ablate::commands
