// Streams, graphs and memory of a CUDA device, on LibTorch 2.3 and later.

#include "harness/train/step/cuda.h"

#ifdef ABLATE_CUDA

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Device.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <fmt/core.h>
#include <torch/cuda.h>

#include <map>
#include <optional>

namespace ablate::train {
namespace {

/// The device's index; empty where it is not a CUDA device.
std::optional<c10::DeviceIndex> cuda_index(const std::string& name) {
  const at::Device device(name);
  if (!device.is_cuda()) return std::nullopt;
  return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

/// The same, with LibTorch's allocator initialised: asking it for statistics before the first
/// tensor on any device is an internal error. Initialising it twice has no effect.
std::optional<c10::DeviceIndex> ready_index(const std::string& name) {
  const auto index = cuda_index(name);
  if (index) c10::cuda::CUDACachingAllocator::init(c10::cuda::device_count_ensure_non_zero());
  return index;
}

class GraphRecorder final : public Recorder {
 public:
  // A recording allocates from a pool of its own, so what the direct runs have left to LibTorch's
  // other pools is freed first, as is the memory of the previous recording.
  void record(const std::function<void()>& work) override {
    graph_.reset();
    c10::cuda::CUDACachingAllocator::emptyCache();
    const Pool pool = at::cuda::graph_pool_handle();
    graph_.emplace();
    graph_->capture_begin(pool);
    try {
      work();
      graph_->capture_end();
    } catch (...) {
      end_failed_capture(pool);
      throw;
    }
  }

  void replay() override { graph_->replay(); }

 private:
  using Pool = decltype(at::cuda::graph_pool_handle());

  // Ends the capture, which the stream would otherwise continue, and the pool that allocations
  // would otherwise still come from: where the capture has failed, capture_end() throws before it
  // does that.
  void end_failed_capture(const Pool& pool) {
    try {
      graph_->capture_end();
    } catch (const std::exception&) {
      static_cast<void>(::cudaGetLastError());  // else the next launch reports it
    }
    graph_.reset();
    const c10::DeviceIndex device = c10::cuda::current_device();
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(device, pool);
      c10::cuda::CUDACachingAllocator::releasePool(device, pool);
    } catch (const std::exception&) {
      // capture_end() had ended it.
    }
  }

  std::optional<at::cuda::CUDAGraph> graph_;
};

/// The stream of all banks of this process on a device. cuBLAS keeps a workspace of 32 MiB for
/// every stream that it was used in, so a stream for each bank would hold ever more memory.
c10::cuda::CUDAStream work_stream(c10::DeviceIndex index) {
  static std::map<c10::DeviceIndex, c10::cuda::CUDAStream> streams;
  const auto found = streams.find(index);
  if (found != streams.end()) return found->second;
  return streams.emplace(index, c10::cuda::getStreamFromPool(false, index)).first->second;
}

}  // namespace

struct WorkStream::Streams {
  explicit Streams(c10::DeviceIndex index) : device(index), guard(work_stream(index)) {}

  c10::DeviceIndex device;
  c10::cuda::CUDAStreamGuard guard;
};

WorkStream::WorkStream(const std::string& device) {
  const auto index = ready_index(device);
  if (!index) return;
  torch::cuda::synchronize(*index);
  streams_ = std::make_unique<Streams>(*index);
}

WorkStream::~WorkStream() {
  if (streams_ == nullptr) return;
  try {
    torch::cuda::synchronize(streams_->device);
  } catch (const std::exception&) {
    // The device has failed; its next use reports that.
  }
}

std::unique_ptr<Recorder> graph_recorder(const std::string& device) {
  if (!cuda_index(device)) return nullptr;
  return std::make_unique<GraphRecorder>();
}

DeviceMemory device_memory(const std::string& device) {
  const auto index = ready_index(device);
  if (!index) return {};
  const c10::cuda::CUDAGuard guard(*index);
  std::size_t free = 0, total = 0;
  C10_CUDA_CHECK(::cudaMemGetInfo(&free, &total));
  const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(*index);
  // The first of the allocator's statistics is the sum of all pools.
  constexpr std::size_t kAll = 0;
  const std::int64_t unused =
      stats.reserved_bytes[kAll].current - stats.allocated_bytes[kAll].current;
  return {stats.reserved_bytes[kAll].peak, static_cast<std::int64_t>(free) + unused,
          static_cast<std::int64_t>(total)};
}

void reset_peak(const std::string& device) {
  const auto index = ready_index(device);
  if (!index) return;
  c10::cuda::CUDACachingAllocator::emptyCache();
  c10::cuda::CUDACachingAllocator::resetPeakStats(*index);
}

std::string device_bfloat16_refusal(const std::string& device) {
  const auto* const properties = at::cuda::getDeviceProperties(*cuda_index(device));
  constexpr int kAmpere = 8;  // compute capability
  if (properties->major >= kAmpere) return {};
  return fmt::format(
      "bfloat16 needs a GPU of compute capability 8.0 or more, and {} ({}) has {}.{}; use "
      "\"float32\"",
      device, properties->name, properties->major, properties->minor);
}

std::string device_model(const std::string& device) {
  const auto index = cuda_index(device);
  return index ? std::string(at::cuda::getDeviceProperties(*index)->name) : device;
}

}  // namespace ablate::train

#else

#include <stdexcept>

namespace ablate::train {

struct WorkStream::Streams {};

WorkStream::WorkStream(const std::string&) {}
WorkStream::~WorkStream() = default;

std::unique_ptr<Recorder> graph_recorder(const std::string&) { return nullptr; }

DeviceMemory device_memory(const std::string&) { return {}; }

void reset_peak(const std::string&) {}

std::string device_bfloat16_refusal(const std::string& device) {
  throw std::logic_error("device_bfloat16_refusal: " + device + " is no CUDA device");
}

std::string device_model(const std::string& device) { return device; }

}  // namespace ablate::train

#endif
