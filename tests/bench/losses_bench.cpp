// The output head and its cross-entropy over the scored rows. Floor: the head's products alone.

#include <fmt/core.h>

#include "tests/bench/operation.h"

namespace ablate::bench {
namespace {

void add_losses(const Size& size, const Scoring& scoring, at::ScalarType type) {
  const std::int64_t positions = size.batch * size.context;
  const auto scored = static_cast<std::int64_t>(scoring.share * static_cast<double>(positions));
  const double flops = 2.0 * static_cast<double>(scored * size.width * size.vocabulary);
  const auto operand = [=] {
    const at::Tensor hidden = wave({1, size.batch, size.context, size.width});
    const at::Tensor table = wave({1, size.vocabulary, size.width});
    const at::Tensor places = at::arange(scored, at::kLong).mul(positions / scored);
    const std::vector<train::LaneTargets> targets = {
        {places, places.mul(7919).remainder(size.vocabulary), at::ones({scored})}};
    return Operand{{hidden, table}, [=](const models::Operations& op) {
                     return std::vector<at::Tensor>{op.losses(hidden, {table, 0.1, type}, targets)};
                   }};
  };
  add({fmt::format("cross_entropy/{}.{}", size.name, scoring.name),
       type,
       {.flops = flops},
       {.flops = 2 * flops},
       operand,
       [=] { return product(scored, size.width, size.vocabulary, type); },
       [=] { return products_backward(scored, size.width, size.vocabulary, type); }});
}

const bool added_losses = [] {
  for (const Size& size : kTableSizes)
    for (const Scoring& scoring : kScorings)
      for (const at::ScalarType type : kPrecisions) add_losses(size, scoring, type);
  return true;
}();

}  // namespace
}  // namespace ablate::bench
