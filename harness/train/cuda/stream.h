// The queue that our own kernels are launched on.

#pragma once

struct CUstream_st;  // CUDA's

namespace ablate::train {

/// A queue of a CUDA device, CUDA's cudaStream_t. Streams are those of random numbers here.
using DeviceQueue = CUstream_st*;

/// The queue that LibTorch uses now in this thread, on the current device. Null where LibTorch has
/// no CUDA: kernels then run on the processor.
DeviceQueue current_stream();

}  // namespace ablate::train
