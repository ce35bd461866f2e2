#include "harness/store/index/fast_hash.h"

#include <xxhash.h>

#include <new>
#include <span>

#include "harness/base/sha256.h"

namespace ablate::store {

void FastHash::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

FastHash::FastHash() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void FastHash::add(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string FastHash::hex() {
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(state_.get()));
  XXH3_128bits_reset(state_.get());
  return ablate::hex(digest.digest);
}

std::string fast_hash(std::string_view text) {
  FastHash hash;
  hash.add(text);
  return hash.hex();
}

}  // namespace ablate::store
