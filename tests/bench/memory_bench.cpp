// Operations that memory bounds: residual + norm, and the embedding. Floor: a copy that moves as
// many bytes.

#include <fmt/core.h>

#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

double bytes_of(at::ScalarType type) { return type == at::kBFloat16 ? 2 : 4; }

// Forth: reads the float32 stream and the delta, writes the sum and the norm. Back: reads the
// gradients of both and the sum, writes the gradients of stream and delta.
void add_residual_norm(const Size& size, models::Norm norm, at::ScalarType type) {
  const auto units = static_cast<double>(size.batch * size.context * size.width);
  const Work forward = {.bytes = units * (8 + 2 * bytes_of(type))};
  const Work backward = {.bytes = units * (12 + 2 * bytes_of(type))};
  const auto operand = [=] {
    const std::vector<std::int64_t> sizes = {1, size.batch, size.context, size.width};
    const at::Tensor stream = wave(sizes), delta = wave(sizes, type), gain = wave({1, size.width});
    return Operand{{stream, delta, gain}, [=](const models::Operations& op) {
                     const models::Normed normed = op.add_norm(stream, delta, gain, norm, type);
                     return std::vector<at::Tensor>{normed.sum, normed.normed};
                   }};
  };
  add({fmt::format("residual_norm/{}{}", size.name,
                   norm == models::Norm::layer ? ".layer_norm" : ".rms_norm"),
       type, forward, backward, operand, [=] { return copy_of(forward.bytes); },
       [=] { return copy_of(backward.bytes); }});
}

// Forth: reads rows and writes them. Back: clears the table's gradient, reads rows of it and of the
// gradient, and writes them.
void add_embedding(const Size& size) {
  const auto rows = static_cast<double>(size.batch * size.context * size.width);
  const auto table = static_cast<double>(size.vocabulary * size.width);
  const Work forward = {.bytes = 8 * rows}, backward = {.bytes = 4 * table + 12 * rows};
  const auto operand = [=] {
    const at::Tensor weights = wave({1, size.vocabulary, size.width});
    const at::Tensor ids = at::arange(size.batch * size.context, at::kLong)
                               .mul(7919)
                               .remainder(size.vocabulary)
                               .view({1, size.batch, size.context});
    return Operand{{weights}, [=](const models::Operations& op) {
                     return std::vector<at::Tensor>{op.embed(weights, ids)};
                   }};
  };
  add({fmt::format("embedding/{}.tokens", size.name), at::kFloat, forward, backward, operand,
       [=] { return copy_of(forward.bytes); }, [=] { return copy_of(backward.bytes); }});
}

const bool added_memory = [] {
  for (const Size& size : kTableSizes) {
    for (const models::Norm norm : {models::Norm::layer, models::Norm::rms})
      for (const at::ScalarType type : kPrecisions) add_residual_norm(size, norm, type);
    add_embedding(size);
  }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
