// Memory that a thread keeps for its kernels.

#pragma once

#include <cstdint>

namespace ablate::models::kernels {

/// The calling thread's memory, of at least so many bytes, at a cache line; what it holds is of no
/// account, and the next call takes it away. It grows to the largest that was asked for, and stays.
void* scratch_bytes(std::int64_t bytes);

/// The same, for `count` values. In line always: a copy of its own, compiled within the loops of
/// one instruction set, could be linked into those of another.
template <class T>
[[gnu::always_inline]] inline T* scratch(std::int64_t count) {
  return static_cast<T*>(scratch_bytes(count * static_cast<std::int64_t>(sizeof(T))));
}

}  // namespace ablate::models::kernels
