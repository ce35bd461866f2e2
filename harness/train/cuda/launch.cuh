// What our own CUDA kernels share: the launch, and sums over a warp or a block. For sources that
// are compiled by nvcc, or with emulated/cuda_runtime.h, in C++17.

#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "harness/train/cuda/stream.h"

namespace ablate::train {

constexpr int kWarpThreads = 32;

/// Threads of a block in all of our kernels; on the processor, fewer are faster.
#ifdef __CUDACC__
constexpr int kBlockThreads = 256;
#else
constexpr int kBlockThreads = 64;
#endif
constexpr int kBlockWarps = kBlockThreads / kWarpThreads;

/// Queues `kernel` on `stream`. Throws std::runtime_error where the device refuses it.
template <class... P, class... A>
void launch(const char* name, void (*kernel)(P...), dim3 grid, Stream stream, A... arguments) {
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

}  // namespace ablate::train
