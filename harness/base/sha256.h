// Content hashes: ids of trials, corpora and checkpoints.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ablate {

/// SHA-256 over bytes that arrive in pieces.
class Sha256 {
 public:
  /// Starts an empty hash. Throws std::runtime_error where OpenSSL offers no SHA-256.
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;             // the source may only be destroyed or assigned to
  Sha256& operator=(Sha256&&) noexcept;  // as above

  /// Appends bytes to what is hashed. Throws std::runtime_error where OpenSSL fails.
  void add(std::span<const std::byte> bytes);

  /// Appends the bytes of a text.
  void add(std::string_view text);

  /// The digest; then the hash is empty again. Throws std::runtime_error where OpenSSL fails.
  std::array<std::uint8_t, 32> digest();

  /// The same in 64 lower-case hexadecimal digits.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Bytes in lower-case hexadecimal digits.
std::string hex(std::span<const std::uint8_t> bytes);

/// Whether a text is hex() of the bytes.
bool is_hex_of(std::string_view text, std::span<const std::uint8_t> bytes);

/// The SHA-256 of a text in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace ablate
