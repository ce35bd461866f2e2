// Dropout. One random number decides two units, as on the CPU.

#include "models/kernels/cuda/dropout.h"

#include "harness/base/rng.h"
#include "harness/train/cuda/launch.cuh"
#include "models/kernels/cuda/element.cuh"

namespace ablate::models::kernels {
namespace {

// Pairs of units a thread: the stream's key is mixed once for all of them.
constexpr std::int64_t kPairs = 8;

template <class T>
__global__ void drop_units(DeviceDropout dropout, std::uint64_t threshold, float kept, const T* x,
                           T* out) {
  const std::int64_t lane = blockIdx.y;
  const Rng rng(static_cast<std::uint64_t>(dropout.keys[2 + lane]), Stream::dropout,
                static_cast<std::uint64_t>(dropout.keys[0]),
                static_cast<std::uint64_t>(dropout.layer));
  // The numbers are those of the step's rows, of which a lane may have a part: it may start within a pair.
  const std::int64_t skipped = dropout.keys[1] * dropout.row, odd = skipped % 2;
  const std::int64_t pairs = (odd + dropout.units + 1) / 2;
  for (std::int64_t pair = std::int64_t{blockIdx.x} * train::kBlockThreads + threadIdx.x;
       pair < pairs; pair += std::int64_t{gridDim.x} * train::kBlockThreads) {
    std::uint64_t bits = rng.peek(static_cast<std::uint64_t>(skipped / 2 + pair));
    for (std::int64_t unit = 2 * pair - odd; unit < 2 * pair - odd + 2; ++unit, bits >>= 32) {
      if (unit < 0 || unit >= dropout.units) continue;
      const std::int64_t at = lane * dropout.units + unit;
      store(out[at], (bits & 0xFFFFFFFFu) < threshold ? 0 : value_of(x[at]) * kept);
    }
  }
}

}  // namespace

template <class T>
void drop(const DeviceDropout& dropout, const T* x, T* out, train::DeviceQueue stream) {
  constexpr std::int64_t kUnits = 2 * kPairs * train::kBlockThreads;
  const auto blocks = static_cast<unsigned>((dropout.units + kUnits - 1) / kUnits);
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(dropout.dropped, 32));
  train::launch("drop", drop_units<T>, {blocks, static_cast<unsigned>(dropout.lanes)}, stream,
                dropout, threshold, static_cast<float>(1 / (1 - dropout.dropped)), x, out);
}

template void drop(const DeviceDropout&, const float*, float*, train::DeviceQueue);
template void drop(const DeviceDropout&, const BFloat16*, BFloat16*, train::DeviceQueue);

}  // namespace ablate::models::kernels
