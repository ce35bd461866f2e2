// Digests that show damage, at the speed of memory.

#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace ablate::store {

/// XXH3 of 128 bits (xxHash) over bytes that arrive in pieces. It finds what has changed by itself, such
/// as a page that was torn, but not what someone has made to have the same digest: that takes a Sha256.
class FastHash {
 public:
  /// Starts an empty hash. Throws std::bad_alloc.
  FastHash();

  /// Appends bytes to what is hashed.
  void add(std::string_view bytes);

  /// The digest in 32 lower-case hexadecimal digits; then the hash is empty again.
  std::string hex();

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

/// The digest of a text.
std::string fast_hash(std::string_view text);

}  // namespace ablate::store
