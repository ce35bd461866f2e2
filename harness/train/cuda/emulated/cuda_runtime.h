// Runs CUDA kernels on the processor: the threads of a block take turns, one block after the other.
// Stands in for CUDA's own header where LibTorch has no CUDA, so that the tests run our kernels
// wherever they are compiled. Slow: for small sizes only.

#pragma once

#include <ucontext.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#define __global__
#define __device__
#define __shared__ static  // one block runs at a time

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

inline dim3 threadIdx, blockIdx, gridDim;  // of the thread whose turn it is

namespace ablate::train::emulated {

constexpr unsigned kWarp = 32;

/// Threads that wait for each other.
struct Barrier {
  unsigned expected = kWarp, arrived = 0, opened = 0;
};

struct Warp {
  Barrier barrier;
  double exchanged[kWarp] = {};
};

struct Thread {
  ucontext_t context{};
  std::vector<char> stack = std::vector<char>(64 << 10);
  bool done = false;
};

/// The threads that run now.
struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  Barrier barrier;
  ucontext_t scheduler{};
  void (*run)(const void* kernel) = nullptr;
  const void* kernel = nullptr;
  bool moved = false;  // whether a barrier has opened or a thread has ended since the last round
};

inline Block* running = nullptr;

/// Where a thread begins.
inline void run_thread() {
  running->run(running->kernel);
  running->threads[threadIdx.x].done = running->moved = true;
}

/// Lets the other threads run until all that are expected have come here.
inline void wait(Barrier& barrier) {
  const unsigned opened = barrier.opened;
  if (++barrier.arrived == barrier.expected) {
    barrier.arrived = 0;
    ++barrier.opened;
    running->moved = true;
  }
  const dim3 own = threadIdx;
  while (barrier.opened == opened)
    ::swapcontext(&running->threads[own.x].context, &running->scheduler);
}

/// Runs all threads of the block `blockIdx`. Throws std::logic_error where they wait forever.
inline void run_block(Block& block) {
  for (Thread& thread : block.threads) {
    thread.done = false;
    ::getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = &block.scheduler;
    ::makecontext(&thread.context, run_thread, 0);
  }
  do {
    block.moved = false;
    for (unsigned i = 0; i < block.threads.size(); ++i) {
      if (block.threads[i].done) continue;
      threadIdx.x = i;
      ::swapcontext(&block.scheduler, &block.threads[i].context);
    }
  } while (block.moved);
  for (const Thread& thread : block.threads)
    if (!thread.done) throw std::logic_error("kernel: threads wait for each other forever");
}

/// Runs `kernel` in every thread of every block of the grid. `threads`: of a block, complete warps.
template <class Kernel>
void run_grid(dim3 grid, unsigned threads, const Kernel& kernel) {
  static std::unique_ptr<Block> block;  // kept, for its stacks
  if (block == nullptr || block->threads.size() != threads) block = std::make_unique<Block>();
  block->threads.resize(threads);
  block->warps.resize(threads / kWarp);
  block->barrier.expected = threads;
  block->run = [](const void* given) { (*static_cast<const Kernel*>(given))(); };
  block->kernel = &kernel;
  running = block.get();
  gridDim = grid;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) run_block(*block);
}

}  // namespace ablate::train::emulated

inline void __syncthreads() {
  using namespace ablate::train::emulated;
  wait(running->barrier);
}

/// The value of the thread whose number in the warp differs in the bits of `other`. For types whose
/// values a double holds.
template <class T>
T __shfl_xor_sync(unsigned, T value, int other) {
  using namespace ablate::train::emulated;
  const unsigned own = threadIdx.x % kWarp;
  Warp& warp = running->warps[threadIdx.x / kWarp];
  warp.exchanged[own] = static_cast<double>(value);
  wait(warp.barrier);
  const T found = static_cast<T>(warp.exchanged[own ^ static_cast<unsigned>(other)]);
  wait(warp.barrier);
  return found;
}
