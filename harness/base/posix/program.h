// Where the running program is.

#pragma once

#include <filesystem>

namespace ablate {

/// The folder of the running program's file; empty if the system does not tell.
std::filesystem::path program_folder();

}  // namespace ablate
