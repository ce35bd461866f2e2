// A cache of blocks by size class, as on a GPU.

#include "harness/train/network/tensor_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "harness/base/error.h"

namespace ablate::train {
namespace {

constexpr std::size_t kLine = 64;    // bytes of a cache line
constexpr std::size_t kPage = 4096;  // loads and stores this far apart wait for each other
constexpr std::size_t kMaxBytes = std::size_t{1} << 56;
constexpr double kLargestExcess = 1.25;  // how much larger than asked for a block may be

/// Stored in the cache line before a block's memory.
struct Header {
  void* start;        // of the allocation
  std::size_t bytes;  // the size of the block's class
  void* next;         // memory of the next free block of the class, or null
};

Header& header_of(void* memory) {
  return *reinterpret_cast<Header*>(static_cast<char*>(memory) - kLine);
}

/// The size class of a request: at least `bytes`, with eight classes per power of two.
std::size_t class_of(std::size_t bytes) {
  if (bytes > kMaxBytes) fail("out of memory: cannot allocate a tensor of {} bytes", bytes);
  if (bytes <= 8 * kLine) return (bytes + kLine - 1) / kLine * kLine;
  const std::size_t step = std::bit_floor(bytes - 1) / 8;
  return (bytes + step - 1) / step * step;
}

class Blocks {
 public:
  void* take(std::size_t bytes) {
    const std::size_t minimum = class_of(bytes);
    const std::lock_guard lock(mutex_);
    const auto maximum = static_cast<std::size_t>(kLargestExcess * static_cast<double>(minimum));
    for (auto at = free_.lower_bound(minimum); at != free_.end() && at->first <= maximum; ++at) {
      if (at->second == nullptr) continue;
      void* const memory = at->second;
      at->second = header_of(memory).next;
      return memory;
    }
    free_.try_emplace(minimum, nullptr);  // so that give_back() need not allocate
    return fresh(minimum);
  }

  void give_back(void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    void*& first = free_.find(header_of(memory).bytes)->second;
    header_of(memory).next = first;
    first = memory;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    free_all();
  }

  std::int64_t taken() {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

  std::int64_t kept() {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(kept_);
  }

 private:
  void* fresh(std::size_t bytes) {
    const std::size_t offset = static_cast<std::size_t>(taken_++) * 5 * kLine % kPage;
    void* start = std::aligned_alloc(kLine, bytes + kLine + offset);
    if (start == nullptr) {
      free_all();
      start = std::aligned_alloc(kLine, bytes + kLine + offset);
    }
    if (start == nullptr)
      fail(
          "out of memory: cannot allocate a tensor of {} bytes; use a smaller batch, context or "
          "model, or fewer --workers",
          bytes);
    char* const memory = static_cast<char*>(start) + kLine + offset;
    header_of(memory) = {start, bytes, nullptr};
    kept_ += bytes;
    return memory;
  }

  void free_all() {
    for (auto& [bytes, first] : free_)
      while (first != nullptr) {
        void* const memory = first;
        first = header_of(memory).next;
        kept_ -= bytes;
        std::free(header_of(memory).start);
      }
  }

  std::mutex mutex_;
  std::map<std::size_t, void*> free_;  // by class, the first free block's memory
  std::int64_t taken_ = 0;
  std::size_t kept_ = 0;  // bytes
};

/// The cache of this process. Never destroyed: it outlives every tensor, static ones included.
Blocks& blocks() {
  static auto* const all = new Blocks;
  return *all;
}

void give_back(void* memory) {
  if (memory != nullptr) blocks().give_back(memory);
}

class TensorMemory final : public c10::Allocator {
 public:
  // Allocator::allocate is const before LibTorch 2.3 and is not from then on; copy_data is new in
  // 2.3. So none of these says "override".
  c10::DataPtr allocate(std::size_t bytes) { return taken(bytes); }
  c10::DataPtr allocate(std::size_t bytes) const { return taken(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const {
    std::memcpy(to, from, bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }

 private:
  static c10::DataPtr taken(std::size_t bytes) {
    void* const memory = bytes == 0 ? nullptr : blocks().take(bytes);
    return {memory, memory, &give_back, c10::Device(c10::DeviceType::CPU)};
  }
};

}  // namespace

void keep_tensor_memory() {
  static auto* const memory = new TensorMemory;  // lives as long as any tensor
  c10::SetCPUAllocator(memory, /*priority=*/1);
}

void release_tensor_memory() { blocks().release(); }

std::int64_t tensor_blocks_taken() { return blocks().taken(); }

std::int64_t tensor_bytes_kept() { return blocks().kept(); }

}  // namespace ablate::train
