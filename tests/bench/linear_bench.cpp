// Products with weights, without an activation and with one. Floor: the products alone.

#include <fmt/core.h>

#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

struct Shape {
  const char* name;
  std::int64_t in, out;
};

using Call =
    std::function<at::Tensor(const models::Operations&, const at::Tensor&, const at::Tensor&)>;

void add_product(const char* operation, const Size& size, const Shape& shape, at::ScalarType type,
                 const Call& call) {
  const std::int64_t rows = size.batch * size.context;
  const double flops = 2.0 * static_cast<double>(rows * shape.in * shape.out);
  const auto operand = [=] {
    const at::Tensor x = wave({1, size.batch, size.context, shape.in}, type);
    const at::Tensor weight = wave({1, shape.out, shape.in});
    return Operand{{x, weight}, [=](const models::Operations& op) {
                     return std::vector<at::Tensor>{call(op, x, weight)};
                   }};
  };
  add({fmt::format("{}/{}.{}", operation, size.name, shape.name),
       type,
       {.flops = flops},
       {.flops = 2 * flops},
       operand,
       [=] { return product(rows, shape.in, shape.out, type); },
       [=] { return products_backward(rows, shape.in, shape.out, type); }});
}

Call activated(models::Activation kind) {
  return [kind](const models::Operations& op, const at::Tensor& x, const at::Tensor& weight) {
    return op.activated(x, weight, kind);
  };
}

const bool added_linear = [] {
  const Call linear = [](const models::Operations& op, const at::Tensor& x,
                         const at::Tensor& weight) { return op.linear(x, weight); };
  for (const Size& size : kTableSizes)
    for (const at::ScalarType type : kPrecisions) {
      const std::int64_t width = size.width;
      add_product("linear", size, {"qkv", width, 3 * width}, type, linear);
      add_product("linear", size, {"out", width, width}, type, linear);
      add_product("linear", size, {"down", 4 * width, width}, type, linear);
      add_product("gelu", size, {"up", width, 4 * width}, type,
                  activated(models::Activation::gelu));
      // Two thirds of the units, twice: to a multiple of 4, as the backbone has it.
      const std::int64_t units = 4 * ((4 * width * 2 / 3 + 2) / 4);
      add_product("swiglu", size, {"up", width, 2 * units}, type,
                  activated(models::Activation::swiglu));
    }
  return true;
}();

}  // namespace
}  // namespace ablate::bench
