// Where the running program is: in which folder, on which machine.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ablate {

/// The folder of the running program's file; empty if the system does not tell.
std::filesystem::path program_folder();

/// The name of this machine; "unknown" if the system does not tell.
std::string host_name();

/// A number for this machine, part of temporary names: machines that share a folder may have processes of one number.
std::uint32_t host_number();

/// Whether a process of this machine runs; it may be another one that has got its number.
bool is_running(std::int64_t pid);

}  // namespace ablate
