// Scratch memory of a thread for its kernels.

#pragma once

#include <cstdint>

namespace ablate::models::kernels {

/// The calling thread's scratch memory, at least `bytes` bytes, aligned to a cache line and
/// uninitialised. The next call invalidates it. The memory grows to the largest request and is kept
/// until the thread ends. Throws std::bad_alloc.
void* scratch_bytes(std::int64_t bytes);

/// scratch_bytes for `count` values of T. Always inlined, because a copy compiled for one
/// instruction set could be linked into the loops of another.
template <class T>
[[gnu::always_inline]] inline T* scratch(std::int64_t count) {
  return static_cast<T*>(scratch_bytes(count * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace ablate::models::kernels
