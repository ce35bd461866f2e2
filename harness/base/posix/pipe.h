// What a process reads from and writes to a child.

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

/// A file in memory that contains `bytes`, to be read from the start: a child's input, where a pipe would block
/// this program when the child does not read. Not inherited by a program that is executed. Throws MachineFault
/// where there is no memory for it; `what` names it in the message.
Descriptor memory_file(std::string_view bytes, std::string_view what);

/// Reads from a pipe until all writers have closed it, or reading fails; returns the bytes.
std::string read_to_end(const Descriptor& reader);

}  // namespace ablate
