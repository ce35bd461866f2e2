// The mixture of experts, for planning.

#include <algorithm>
#include <cmath>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

// See routing.cpp: of a large batch, and the most blocks that an expert has beyond those.
constexpr double kRowsOfABlock = 128, kMoreBlocks = 17;

/// The feed-forward layers that read a position.
std::int64_t reading(const Shape& shape) { return shape.experts_per_token + shape.shared_experts; }

// Together as many as the dense layer has; a multiple of 4.
std::int64_t hidden(const Shape& shape) {
  const double units = shape.hidden_multiple * static_cast<double>(shape.width);
  return std::max<std::int64_t>(4,
                                4 * std::llround(units / static_cast<double>(reading(shape)) / 4));
}

std::int64_t of_one(const Shape& shape) { return 2 * shape.width * hidden(shape); }

std::int64_t parameters(const Shape& shape) {
  return (shape.experts + shape.shared_experts) * of_one(shape) + shape.experts * shape.width;
}

std::int64_t idle(const Shape& shape) {
  return (shape.experts - shape.experts_per_token) * of_one(shape);
}

double multiply_adds(const Shape& shape) {
  return static_cast<double>(parameters(shape) - idle(shape));
}

// Of every expert that reads a position: what it reads, its units and their activation, and what it
// returns; the probabilities and the gradients of their sums; and the copies of weights by block.
double bytes(const Shape& shape, double unit) {
  const auto chosen = static_cast<double>(shape.experts_per_token);
  const auto units = static_cast<double>(reading(shape) * hidden(shape));
  const double rows = chosen * static_cast<double>(shape.width);
  const double copies = chosen / kRowsOfABlock * static_cast<double>(of_one(shape));
  return 2 * unit * (units + rows) + 2 * kFloat32Bytes * static_cast<double>(shape.experts) +
         unit * copies;
}

double fixed_bytes(const Shape& shape, double unit) {
  return unit * kMoreBlocks * static_cast<double>(shape.experts * of_one(shape));
}

}  // namespace

FeedForwardSpec experts_feed_forward_spec() {
  return {.name = "experts",
          .summary =
              "a mixture of experts: each position is read by the dense layers that a router "
              "chooses, together as large as one dense layer",
          .source =
              "Jiang et al. 2024, arXiv:2401.04088, section 2.1; shared experts: Dai et al. 2024, "
              "arXiv:2401.06066, section 3; balance: DeepSeek-AI 2024, arXiv:2412.19437, section "
              "2.1.2",
          .hidden = hidden,
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .fixed_bytes = fixed_bytes,
          .idle = idle,
          .routes = true};
}

}  // namespace ablate::models
