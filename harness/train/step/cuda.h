// What only a LibTorch with CUDA can do; without it there is nothing to record and no memory to ask
// for. CMake defines ABLATE_CUDA where LibTorch brings CUDA: its headers alone do not tell,
// Debian's CPU package has them too.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/train/step/repeated.h"

namespace ablate::train {

/// Has this thread's work on a CUDA device go to a stream of its own while it lives: a recording
/// cannot be made on the default one. Waits for the device at both ends.
class WorkStream {
 public:
  explicit WorkStream(const std::string& device);
  ~WorkStream();
  WorkStream(const WorkStream&) = delete;
  WorkStream& operator=(const WorkStream&) = delete;

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
};

/// A CUDA graph on the present stream; null for other devices.
std::unique_ptr<Recorder> graph_recorder(const std::string& device);

/// Memory of a CUDA device, in bytes; all 0 for other devices.
struct DeviceMemory {
  std::int64_t peak = 0;   // most that tensors have held since forget_peak()
  std::int64_t free = 0;   // for this process: free on the device, or held and not in use
  std::int64_t whole = 0;  // of the device, whoever holds it
};
DeviceMemory device_memory(const std::string& device);
void forget_peak(const std::string& device);

/// What the maker calls the device ("NVIDIA ..."), or the device's own name.
std::string device_model(const std::string& device);

}  // namespace ablate::train
