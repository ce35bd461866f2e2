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

/// Opens a pipe. Throws std::runtime_error where there is none to be had; `what` names it in the
/// message.
Pipe open_pipe(std::string_view what);

/// Everything that comes through a pipe until its writers have closed it, or reading fails.
std::string read_to_end(const Descriptor& reader);

}  // namespace ablate
