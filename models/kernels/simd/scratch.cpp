// Scratch memory of a thread for its kernels.

#include "models/kernels/simd/scratch.h"

#include <cstdlib>
#include <new>

namespace ablate::models::kernels {
namespace {

struct Kept {
  void* memory = nullptr;
  std::int64_t bytes = 0;
  ~Kept() { std::free(memory); }
};

}  // namespace

void* scratch_bytes(std::int64_t bytes) {
  constexpr std::int64_t kLine = 64;
  static thread_local Kept kept;
  if (bytes > kept.bytes || kept.memory == nullptr) {
    std::free(kept.memory);
    kept.memory = nullptr;
    kept.bytes = (bytes / kLine + 1) * kLine;
    kept.memory = std::aligned_alloc(kLine, static_cast<std::size_t>(kept.bytes));
    if (kept.memory == nullptr) throw std::bad_alloc();
  }
  return kept.memory;
}

}  // namespace ablate::models::kernels
