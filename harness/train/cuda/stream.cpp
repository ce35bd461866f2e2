// LibTorch's current queue.

#include "harness/train/cuda/stream.h"

#ifdef ABLATE_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

namespace ablate::train {

DeviceQueue current_stream() {
#ifdef ABLATE_CUDA
  return c10::cuda::getCurrentCUDAStream().stream();
#else
  return nullptr;
#endif
}

}  // namespace ablate::train
