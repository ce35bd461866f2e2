// Timing one operation, forth or back.

#include "tests/bench/operation.h"

#include <fmt/core.h>
#include <torch/csrc/autograd/autograd.h>

#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "models/specs/bfloat16_spec.h"

namespace ablate::bench {
namespace {

enum class Direction { forward, backward };

/// False, with the reason as the benchmark's error, where the processor has not the precision.
bool ready(benchmark::State& state, at::ScalarType type) {
  train::keep_tensor_memory();
  train::use_threads(1);
  if (type != at::kBFloat16 || models::bfloat16_refusal().empty()) return true;
  state.SkipWithError(models::bfloat16_refusal().c_str());
  return false;
}

void count(benchmark::State& state, Work work) {
  const auto per_second = [&](double each) {
    return benchmark::Counter(each * static_cast<double>(state.iterations()) / 1e9,
                              benchmark::Counter::kIsRate);
  };
  if (work.flops > 0) state.counters["GFLOP"] = per_second(work.flops);
  if (work.bytes > 0) state.counters["GB"] = per_second(work.bytes);
}

void run(benchmark::State& state, const OperationCase& given, bool fused, Direction direction) {
  if (!ready(state, given.type)) return;
  const auto operations = fused ? models::fused_operations() : models::plain_operations(false);
  const Operand operand = given.operand();
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& output : operand.outputs(*operations))
    gradients.push_back(at::full_like(output.detach(), 0.5));
  for (auto _ : state) {
    if (direction == Direction::forward) {
      benchmark::DoNotOptimize(operand.outputs(*operations));
      continue;
    }
    state.PauseTiming();
    const std::vector<at::Tensor> outputs = operand.outputs(*operations);
    state.ResumeTiming();
    benchmark::DoNotOptimize(torch::autograd::grad(outputs, operand.inputs, gradients));
  }
  count(state, direction == Direction::forward ? given.forward : given.backward);
}

std::int64_t product_of(const std::vector<std::int64_t>& sizes) {
  std::int64_t all = 1;
  for (const std::int64_t size : sizes) all *= size;
  return all;
}

}  // namespace

std::string_view name_of(at::ScalarType type) {
  return type == at::kBFloat16 ? "bfloat16" : "float32";
}

at::Tensor wave(std::vector<std::int64_t> sizes, at::ScalarType type) {
  return at::arange(product_of(sizes), at::kFloat)
      .mul(0.7)
      .sin()
      .view(sizes)
      .to(type)
      .requires_grad_(true);
}

void add(const OperationCase& given) {
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const bool forward = direction == Direction::forward;
    const std::string end = forward ? "/forward" : "/backward";
    for (const bool fused : {false, true})
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}/{}{}", given.name, name_of(given.type), fused ? "fused" : "plain", end)
              .c_str(),
          run, given, fused, direction)
          ->Unit(benchmark::kMicrosecond);
    add_floor(fmt::format("{}/{}/floor{}", given.name, name_of(given.type), end),
              forward ? given.forward : given.backward,
              forward ? given.forward_floor : given.backward_floor, given.type);
  }
}

void add_floor(const std::string& name, Work work, const std::function<Floor()>& make,
               at::ScalarType type) {
  const auto timed = [=](benchmark::State& state) {
    if (!ready(state, type)) return;
    const Floor floor = make();
    for (auto _ : state) floor();
    count(state, work);
  };
  benchmark::RegisterBenchmark(name.c_str(), timed)->Unit(benchmark::kMicrosecond);
}

Floor product(std::int64_t rows, std::int64_t terms, std::int64_t columns, at::ScalarType type) {
  const at::Tensor left = wave({rows, terms}, type).detach();
  const at::Tensor right = wave({columns, terms}, type).detach().t();
  at::Tensor out = at::empty({rows, columns}, left.options());
  return [=]() mutable { at::mm_out(out, left, right); };
}

Floor products_backward(std::int64_t rows, std::int64_t in, std::int64_t out, at::ScalarType type) {
  const at::Tensor x = wave({rows, in}, type).detach(), weight = wave({out, in}, type).detach();
  const at::Tensor gradient = wave({rows, out}, type).detach();
  at::Tensor of_x = at::empty_like(x), of_weight = at::empty_like(weight);
  return [=]() mutable {
    at::mm_out(of_x, gradient, weight);
    at::mm_out(of_weight, gradient.t(), x);
  };
}

Floor attention_products(const Size& size, at::ScalarType type, bool forward) {
  const std::int64_t squares = size.batch * size.heads, head_width = size.width / size.heads;
  const at::Tensor rows = wave({squares, size.context, head_width}, type).detach();
  const at::Tensor square = wave({squares, size.context, size.context}, type).detach();
  at::Tensor to_rows = at::empty_like(rows), to_square = at::empty_like(square);
  return [=]() mutable {
    at::bmm_out(to_square, rows, rows.transpose(1, 2));  // scores; gradient of the chances
    at::bmm_out(to_rows, square, rows);                  // values; gradient of the queries
    if (forward) return;
    at::bmm_out(to_rows, square.transpose(1, 2), rows);  // gradient of the keys
    at::bmm_out(to_rows, square.transpose(1, 2), rows);  // and of the values
  };
}

Floor copy_of(double bytes) {
  const at::Tensor from = at::ones({static_cast<std::int64_t>(bytes / 8)}, at::kFloat);
  const at::Tensor to = at::empty_like(from);
  return [=] { to.copy_(from); };
}

}  // namespace ablate::bench
