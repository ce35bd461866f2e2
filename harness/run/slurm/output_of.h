// Asks another program for something.

#pragma once

#include <string>
#include <vector>

namespace ablate::run {

/// What a program printed, and its exit status: 127 where it is not there.
struct ProgramOutput {
  int status = 0;
  std::string output, errors;
};

/// Runs a program without input and waits for its end. Throws std::runtime_error where the system refuses.
ProgramOutput output_of(const std::vector<std::string>& command);

}  // namespace ablate::run
