// What the benchmarks of single operations share.
//
//   OPERATION/SIZE.SHAPE/PRECISION/VARIANT/DIRECTION
//
// Variants: plain (ATen and autograd), fused (kernels of our own), floor (the products alone by
// at::mm in that precision, or a copy that moves as many bytes). Directions: forward, backward.

#pragma once

#include <ATen/Functions.h>
#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "models/operations/operations.h"
#include "tests/bench/sizes.h"

namespace ablate::bench {

inline constexpr at::ScalarType kPrecisions[] = {at::kFloat, at::kBFloat16};

std::string_view name_of(at::ScalarType type);

/// Numbers in [-1, 1], float32 and a leaf that wants a gradient unless another type is asked for.
at::Tensor wave(std::vector<std::int64_t> sizes, at::ScalarType type = at::kFloat);

/// What one direction computes or moves at the least.
struct Work {
  double flops = 0;
  double bytes = 0;
};

/// An operation on inputs of its own: made once the benchmark runs, not at registration.
struct Operand {
  std::vector<at::Tensor> inputs;  // those that want gradients
  std::function<std::vector<at::Tensor>(const models::Operations&)> outputs;
};

/// What an operation cannot do without.
using Floor = std::function<void()>;

struct OperationCase {
  std::string name;  // OPERATION/SIZE.SHAPE
  at::ScalarType type;
  Work forward, backward;
  std::function<Operand()> operand;
  std::function<Floor()> forward_floor, backward_floor;
};

/// Registers plain, fused and floor, forward and backward.
void add(const OperationCase& given);

/// Timed as it stands: for the parts that are no Operation.
void add_floor(const std::string& name, Work work, const std::function<Floor()>& make,
               at::ScalarType type);

/// left [rows, terms] times right [terms, columns], into memory that stays.
Floor product(std::int64_t rows, std::int64_t terms, std::int64_t columns, at::ScalarType type);

/// The two products of the way back of rows [rows, in] times weight [out, in] transposed.
Floor products_backward(std::int64_t rows, std::int64_t in, std::int64_t out, at::ScalarType type);

/// The products of attention over the whole square: scores and values; or the four of the way back.
Floor attention_products(const Size& size, at::ScalarType type, bool forward);

/// A copy that reads and writes `bytes` in all.
Floor copy_of(double bytes);

}  // namespace ablate::bench
