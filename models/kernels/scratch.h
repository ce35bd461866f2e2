// Memory that a thread keeps for its kernels.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace ablate::kernels {

/// The calling thread's memory for `count` values, at a cache line; what it holds is of no account,
/// and the next call takes it away. It grows to the largest that was asked for, and stays.
template <class T>
T* scratch(std::int64_t count) {
  struct Kept {
    void* memory = nullptr;
    std::size_t bytes = 0;
    ~Kept() { std::free(memory); }
  };
  static thread_local Kept kept;
  const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
  if (bytes > kept.bytes) {
    std::free(kept.memory);
    kept = {};
    kept.memory = std::aligned_alloc(64, bytes);
    if (kept.memory == nullptr) throw std::bad_alloc();
    kept.bytes = bytes;
  }
  return static_cast<T*>(kept.memory);
}

}  // namespace ablate::kernels
