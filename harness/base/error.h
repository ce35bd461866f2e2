// Errors: one function for each kind of fault, the user's or the environment's.

#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace ablate {

/// A store or checkpoint that does not verify: the program ends with exit code 6.
struct DamagedFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Joins the parts as a stream would.
template <class... Parts>
std::string join(const Parts&... parts) {
  std::ostringstream message;
  (message << ... << parts);
  return message.str();
}

/// Throws std::invalid_argument: the caller or the experiment file asked for something that cannot
/// be done (exit code 2).
///
/// A message says what was given, where, what would be accepted, and what to do.
template <class... Parts>
[[noreturn]] void reject(const Parts&... parts) {
  throw std::invalid_argument(join(parts...));
}

/// Throws std::runtime_error for a fault of the environment: a disk, a device, a corpus.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw std::runtime_error(join(parts...));
}

}  // namespace ablate
