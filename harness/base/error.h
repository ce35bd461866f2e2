// Errors: one function for each kind of fault, the user's or the environment's.

#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace ablate {

/// A store or checkpoint that does not verify: the program ends with exit code 6.
struct DamagedFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each takes a message in {fmt}'s syntax, where braces are doubled. A message says what was given,
// where, what would be accepted, and what to do.

/// Throws std::invalid_argument: the caller or the experiment file asked for something that cannot
/// be done (exit code 2).
template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> message, Args&&... args) {
  throw std::invalid_argument(fmt::format(message, std::forward<Args>(args)...));
}

/// Throws std::runtime_error for a fault of the environment: a disk, a device, a corpus.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw std::runtime_error(fmt::format(message, std::forward<Args>(args)...));
}

/// Throws DamagedFile: a store or checkpoint does not verify (exit code 6).
template <class... Args>
[[noreturn]] void damaged(fmt::format_string<Args...> message, Args&&... args) {
  throw DamagedFile(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace ablate
