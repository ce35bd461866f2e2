// An allocator for CPU tensors that reuses memory.

#pragma once

#include <cstdint>

namespace ablate::train {

/// Makes LibTorch allocate CPU tensors from blocks that the process keeps and reuses. A training
/// step allocates the same sizes again and again, and mapping fresh memory page by page costs more
/// than many operations. Blocks start at different offsets within a page, so that operands do not
/// evict each other from the cache. Call it once, at the start of main; it stays in force.
void keep_tensor_memory();

/// Returns unused blocks to the system. Call it before a process goes on to other shapes.
void release_tensor_memory();

/// The number of blocks requested from the system so far: constant while memory is only reused.
std::int64_t tensor_blocks_taken();

/// The bytes of all blocks that the process keeps, whether or not a tensor uses them.
std::int64_t tensor_bytes_kept();

}  // namespace ablate::train
