// Where the running program is: in which folder, on which machine.

#pragma once

#include <filesystem>
#include <string>

namespace ablate {

/// The folder of the running program's file; empty if the system does not tell.
std::filesystem::path program_folder();

/// The name of this machine; "unknown" if the system does not tell.
std::string host_name();

}  // namespace ablate
