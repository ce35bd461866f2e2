// What our own CUDA kernels share: the launch, sums over a warp or a block, and rows that threads
// hold. For sources that are compiled by nvcc, or with emulated/cuda_runtime.h, in C++17.

#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "harness/train/cuda/stream.h"

namespace ablate::train {

constexpr int kWarpThreads = 32;

/// Threads of a block in all of our kernels; on the processor, fewer are faster. ABLATE_UNROLL: a
/// loop that is unrolled, so that the arrays which it indexes are registers.
#ifdef __CUDACC__
constexpr int kBlockThreads = 256;
#define ABLATE_UNROLL _Pragma("unroll")
#else
constexpr int kBlockThreads = 64;
#define ABLATE_UNROLL
#endif
constexpr int kBlockWarps = kBlockThreads / kWarpThreads;

/// Queues `kernel` on `stream`. Throws std::runtime_error where the device refuses it.
template <class... P, class... A>
void launch(const char* name, void (*kernel)(P...), dim3 grid, DeviceQueue stream, A... arguments) {
#ifdef __CUDACC__
  kernel<<<grid, kBlockThreads, 0, stream>>>(arguments...);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error(std::string("CUDA kernel ") + name + ": " + cudaGetErrorString(error));
#else
  static_cast<void>(name);
  static_cast<void>(stream);
  emulated::run_grid(grid, kBlockThreads, [&] { kernel(arguments...); });
#endif
}

/// `left` and `right` combined.
struct Sum {
  template <class T>
  __device__ T operator()(T left, T right) const {
    return left + right;
  }
};
struct Maximum {
  template <class T>
  __device__ T operator()(T left, T right) const {
    return left > right ? left : right;
  }
};

/// The values of all threads of a warp combined, in each of them. All take part.
template <class T, class Combine>
__device__ T over_warp(T value, Combine combine) {
  for (int other = kWarpThreads / 2; other > 0; other /= 2)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, other));
  return value;
}

/// The values of all threads of a block combined, in each of them. All take part.
template <class T, class Combine>
__device__ T over_block(T value, Combine combine) {
  __shared__ T parts[kBlockWarps];
  value = over_warp(value, combine);
  __syncthreads();  // the parts of an earlier call have been read
  if (threadIdx.x % kWarpThreads == 0) parts[threadIdx.x / kWarpThreads] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < kBlockWarps; ++warp) value = combine(value, parts[warp]);
  return value;
}

/// The threads that share a row: those of a warp ...
struct Warp {
  static constexpr int kThreads = kWarpThreads, kRows = kBlockWarps;  // rows of a block
  static __device__ int own() { return static_cast<int>(threadIdx.x) % kWarpThreads; }
  static __device__ std::int64_t row() {
    return std::int64_t{blockIdx.x} * kRows + threadIdx.x / kWarpThreads;
  }
  template <class T, class Combine>
  static __device__ T over(T value, Combine combine) {
    return over_warp(value, combine);
  }
};

/// ... or of a block.
struct Block {
  static constexpr int kThreads = kBlockThreads, kRows = 1;
  static __device__ int own() { return static_cast<int>(threadIdx.x); }
  static __device__ std::int64_t row() { return blockIdx.x; }
  template <class T, class Combine>
  static __device__ T over(T value, Combine combine) {
    return over_block(value, combine);
  }
};

/// A row of up to kMost columns, of which each thread of the team holds up to `held` in registers.
template <class OfThreads, int held>
struct HeldRow {
  using Team = OfThreads;
  static constexpr int kHeld = held, kMost = held * Team::kThreads;

  /// Calls visit(index of what is held, column) for the columns of this thread. Reads of all of
  /// them are under way at once if `visit` writes no memory.
  template <class Visit>
  static __device__ void each(int width, const Visit& visit) {
    ABLATE_UNROLL
    for (int j = 0; j < kHeld; ++j)
      if (const int column = Team::own() + j * Team::kThreads; column < width) visit(j, column);
  }

  /// The grid for so many rows.
  static dim3 grid(std::int64_t rows) {
    return {static_cast<unsigned>((rows + Team::kRows - 1) / Team::kRows)};
  }
};

}  // namespace ablate::train
