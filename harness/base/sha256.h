// Content hashes: ids of trials, corpora and checkpoints.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ablate {

/// SHA-256 over bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  /// Appends bytes to what is hashed. Throws std::runtime_error where OpenSSL fails.
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);

  /// The digest in 64 lower-case hexadecimal digits. Requires: called once, last.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The SHA-256 of a text in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace ablate
