#include "harness/base/sha256.h"

// A journal has a hash for each line, tens of millions in a large results folder. For so few bytes the
// functions of OpenSSL for any hash (EVP) take half as long again as those for this one, which are
// deprecated for their names alone: a hash by name can come from another provider.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "harness/base/error.h"

namespace ablate {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

struct Sha256::State {
  SHA256_CTX context;

  bool start() { return SHA256_Init(&context) == 1; }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (!state_->start()) fail("SHA-256 is not available in this OpenSSL");
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::span<const std::byte> bytes) {
  if (SHA256_Update(&state_->context, bytes.data(), bytes.size()) != 1) fail("SHA-256 failed");
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::array<std::uint8_t, 32> Sha256::digest() {
  std::array<std::uint8_t, 32> digest{};
  if (SHA256_Final(digest.data(), &state_->context) != 1 || !state_->start())
    fail("SHA-256 failed");
  return digest;
}

std::string Sha256::hex() { return ablate::hex(digest()); }

bool is_hex_of(std::string_view text, std::span<const std::uint8_t> bytes) {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (text[2 * i] != kDigits[bytes[i] >> 4] || text[2 * i + 1] != kDigits[bytes[i] & 15])
      return false;
  return true;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

}  // namespace ablate
