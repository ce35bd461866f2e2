// Whether a folder is on this machine.

#pragma once

#include <filesystem>

namespace ablate {

/// Whether a folder is on a file system of a network, as far as the system says so: what needs memory
/// that processes share does not work there.
bool is_on_network(const std::filesystem::path& folder);

}  // namespace ablate
