// The mixture of experts, for planning.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

// See routing.cpp: of a large batch, and the most blocks that an expert has beyond those.
constexpr double kRowsOfABlock = 128, kMoreBlocks = 17;

constexpr std::string_view kExperts = "experts", kPerToken = "experts_per_token";
constexpr std::string_view kShared = "shared_experts", kBalance = "expert_balance";

std::vector<Param> params() {
  const Shape absent;
  return {optional(integer(kExperts, nullptr, 2, 256,
                           "experts that the router of an experts layer chooses from; absent: 8"),
                   absent.experts),
          optional(integer(kPerToken, nullptr, 1, 16,
                           "experts that the router chooses for each position; together with the "
                           "shared ones they are as large as one dense layer; absent: 2"),
                   absent.experts_per_token),
          optional(integer(kShared, nullptr, 0, 16,
                           "experts that read every position, besides the chosen ones; absent: 0"),
                   absent.shared_experts),
          optional(number(kBalance, nullptr, 0, 10,
                          "coefficient, in the loss, of how unevenly each document uses the "
                          "experts; absent: 0.01"),
                   absent.expert_balance)};
}

void set(Shape& shape, const Params& model) {
  if (model.has(kExperts)) shape.experts = model.integer(kExperts);
  if (model.has(kPerToken)) shape.experts_per_token = model.integer(kPerToken);
  if (model.has(kShared)) shape.shared_experts = model.integer(kShared);
  if (model.has(kBalance)) shape.expert_balance = model.number(kBalance);
}

std::string refusal(const Shape& shape) {
  if (shape.experts_per_token <= shape.experts) return {};
  return fmt::format("experts_per_token = {} is more than experts = {}; choose fewer per token",
                     shape.experts_per_token, shape.experts);
}

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
          .routes = true,
          .params = params,
          .set = set,
          .refusal = refusal};
}

}  // namespace ablate::models
