// The memory of tensors on the CPU, kept by the process for the next tensors of the size.

#pragma once

#include <cstdint>

namespace ablate::train {

/// Makes LibTorch take the memory of tensors from blocks that this process keeps: a training step
/// asks for the same sizes again and again, and fresh memory is mapped and faulted page by page,
/// which costs more than many an operation. Blocks start at different offsets within a page, so
/// that operands do not evict one another. Call it once, first in main; it lasts.
void keep_tensor_memory();

/// Gives blocks that no tensor holds back to the system, where a process goes on to other shapes.
void release_tensor_memory();

/// How many blocks were taken from the system so far: constant where memory is reused alone.
std::int64_t tensor_blocks_taken();

}  // namespace ablate::train
