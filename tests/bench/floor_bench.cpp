// The floor of a training step: all its products alone, forth and back, by at::mm into memory that
// stays. Tokens/s stand beside those of `step`.
//
//   products/SIZE/OBJECTIVE/PRECISION         with weights: blocks, and the head over scored rows
//   products/SIZE/OBJECTIVE/PRECISION/attention    and those of attention, over the whole square

#include <fmt/core.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "models/specs/bfloat16_spec.h"
#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

void add_product(std::vector<Floor>& all, std::int64_t rows, std::int64_t in, std::int64_t out,
                 at::ScalarType type) {
  all.push_back(product(rows, in, out, type));
  all.push_back(products_backward(rows, in, out, type));
}

std::vector<Floor> products_of(const Size& size, const Scoring& scoring, at::ScalarType type,
                               bool with_attention) {
  const std::int64_t rows = size.batch * size.context, width = size.width;
  std::vector<Floor> all;
  for (std::int64_t block = 0; block < size.depth; ++block) {
    add_product(all, rows, width, 3 * width, type);
    for (const bool forward : {true, false})
      if (with_attention) all.push_back(attention_products(size, type, forward));
    add_product(all, rows, width, width, type);
    add_product(all, rows, width, 4 * width, type);
    add_product(all, rows, 4 * width, width, type);
  }
  add_product(all, static_cast<std::int64_t>(scoring.share * static_cast<double>(rows)), width,
              size.vocabulary, type);
  return all;
}

void run_products(benchmark::State& state, const Size& size, const Scoring& scoring,
                  at::ScalarType type, bool with_attention) {
  train::keep_tensor_memory();
  train::use_threads(1);
  if (type == at::kBFloat16 && !models::bfloat16_refusal().empty())
    return state.SkipWithError(models::bfloat16_refusal().c_str());
  const std::vector<Floor> products = products_of(size, scoring, type, with_attention);
  for (auto _ : state)
    for (const Floor& each : products) each();
  state.counters["tokens/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * size.batch * size.context),
                         benchmark::Counter::kIsRate);
}

const bool added_floor = [] {
  std::vector<Size> sizes(kTableSizes.begin(), kTableSizes.end());
  sizes.insert(sizes.end(), kGrownSizes.begin(), kGrownSizes.end());
  for (const Size& size : sizes)
    for (const Scoring& scoring : kScorings)
      for (const at::ScalarType type : kPrecisions)
        for (const bool with_attention : {false, true})
          benchmark::RegisterBenchmark(
              fmt::format("products/{}/{}/{}{}", size.name, scoring.name, name_of(type),
                          with_attention ? "/attention" : "")
                  .c_str(),
              run_products, size, scoring, type, with_attention)
              ->Unit(benchmark::kMillisecond)
              ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace ablate::bench
