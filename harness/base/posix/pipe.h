// A pipe between this process and a child.

#pragma once

#include <string>

#include "harness/base/posix/descriptor.h"

namespace ablate {

/// The two ends of a pipe. Neither is inherited by a program that a child executes.
struct Pipe {
  Descriptor reader;
  Descriptor writer;
};

/// Opens a pipe. Throws std::runtime_error where the system refuses; `what` names the pipe in the
/// message.
Pipe open_pipe(std::string_view what);

/// Reads from a pipe until all writers have closed it, or reading fails; returns the bytes.
std::string read_to_end(const Descriptor& reader);

}  // namespace ablate
