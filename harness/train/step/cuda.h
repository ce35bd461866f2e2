// What needs a LibTorch with CUDA. Without CUDA nothing can be recorded, and all memory is reported
// as 0. CMake defines ABLATE_CUDA where LibTorch has CUDA; the presence of the headers does not
// tell, as Debian's CPU package has them too.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/train/step/repeated.h"

namespace ablate::train {

/// Moves this thread's work on a CUDA device to a separate stream for as long as it lives, because
/// the default stream cannot be recorded. Waits for the device when it is made and destroyed.
class WorkStream {
 public:
  /// `device`: a name as chosen_device() returns it. Does nothing for other devices than CUDA.
  explicit WorkStream(const std::string& device);
  ~WorkStream();
  WorkStream(const WorkStream&) = delete;
  WorkStream& operator=(const WorkStream&) = delete;

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
};

/// Records CUDA graphs on the current stream; null for other devices.
std::unique_ptr<Recorder> graph_recorder(const std::string& device);

/// Makes graph_recorder()s.
inline NewRecorder recorders(const std::string& device) {
  return [device] { return graph_recorder(device); };
}

/// Memory of a CUDA device, in bytes; all 0 for other devices.
struct DeviceMemory {
  std::int64_t peak = 0;   // the maximum that LibTorch has held since reset_peak()
  std::int64_t free = 0;   // available to this process: free, or cached and not in use
  std::int64_t total = 0;  // of the device
};

/// The device's memory now.
DeviceMemory device_memory(const std::string& device);

/// Frees what LibTorch holds and no tensor uses, and starts a new measurement of
/// DeviceMemory::peak.
void reset_peak(const std::string& device);

/// Why a CUDA device cannot train in bfloat16; empty if it can. Requires: the device is one.
std::string device_bfloat16_refusal(const std::string& device);

/// The model of a CUDA device ("NVIDIA ..."); for other devices the name as given.
std::string device_model(const std::string& device);

}  // namespace ablate::train
