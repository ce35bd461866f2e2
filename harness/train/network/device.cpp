// Devices, threads and determinism, on LibTorch 1.13 and 2.x.

#include "harness/train/network/device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include <charconv>
#include <cstdlib>

#include "harness/base/error.h"

namespace ablate::train {
namespace {

/// Drops a warning that every bank would begin with: parameters are strided by lane, on purpose.
class Warnings final : public c10::WarningHandler {
 public:
#if TORCH_VERSION_MAJOR >= 2
  void process(const c10::Warning& warning) override {
    if (!is_dropped(warning.msg())) c10::WarningHandler::process(warning);
  }
#else
  void process(const c10::SourceLocation& source, const std::string& message,
               const bool verbatim) override {
    if (!is_dropped(message)) c10::WarningHandler::process(source, message, verbatim);
  }
#endif

 private:
  static bool is_dropped(const std::string& message) {
    return message.starts_with("grad and param do not obey the gradient layout contract");
  }
};

void drop_layout_warning() {
  static Warnings handler;
#if TORCH_VERSION_MAJOR >= 2
  c10::WarningUtils::set_warning_handler(&handler);
#else
  c10::Warning::set_warning_handler(&handler);
#endif
}

std::string devices_text() {
  const std::size_t count = torch::cuda::device_count();
  return count == 0   ? "cpu"
         : count == 1 ? "cpu, cuda:0"
                      : fmt::format("cpu, cuda:0 to cuda:{}", count - 1);
}

}  // namespace

std::string chosen_device(const std::string& name) {
  constexpr std::string_view kCuda = "cuda:";
  const std::size_t count = torch::cuda::device_count();
  if (name == "cpu") return name;
  if (name == "auto") return count > 0 ? "cuda:0" : "cpu";
  if (name == "cuda" && count > 0) return "cuda:0";
  if (name.starts_with(kCuda)) {
    std::size_t index = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kCuda.size(), end, index);
    if (read.ec == std::errc() && read.ptr == end && index < count)
      return fmt::format("{}{}", kCuda, index);
  }
  reject(
      "device '{}' is not available; available: {}; a GPU needs a LibTorch with CUDA "
      "(CMAKE_PREFIX_PATH)",
      name, devices_text());
}

void use_threads(int threads) {
  at::set_num_threads(threads);
  // OpenBLAS, which Debian's LibTorch multiplies with, has threads of its own, one a core. They wait for each
  // other by spinning, which costs a third of the time where other processes compute, too.
  using SetThreads = void (*)(int);
  void* const set = ::dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  if (set != nullptr) reinterpret_cast<SetThreads>(set)(threads);
}

void settle_library(int threads) {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);  // read once, when the library starts
  use_threads(threads);
  at::set_num_interop_threads(1);
  at::Context& context = at::globalContext();
  context.setBenchmarkCuDNN(false);
  drop_layout_warning();
  // Of this thread, the only one of a worker that computes on the CPU.
  context.setFlushDenormal(true);
}

void choose_algorithms(const std::string& device) {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(device == "cpu", /*warn_only=*/true);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
  context.setDeterministicFillUninitializedMemory(false);  // this project reads no such memory
#endif
}

Json about_library() {
  Json devices = {"cpu"};
  const std::size_t count = torch::cuda::device_count();
  for (std::size_t i = 0; i < count; ++i) devices.push_back(fmt::format("cuda:{}", i));
  const bool cuda = at::globalContext().hasCUDA();
  return {{"libtorch", TORCH_VERSION}, {"cuda", cuda}, {"devices", devices}};
}

std::int64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace ablate::train
