// The head of a window of tokens ahead, order aside, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

constexpr double kFloat32 = 4;  // bytes

// What is kept of a position for the backward pass, in rows as wide as the vocabulary: logits, their
// logarithms, the target, and the gradient.
constexpr double kRows = 4;

HeadTraits traits(const Params& params) {
  return {.ahead = 0,
          .own_loss = true,
          .labels = params.integer("window"),
          .known_optimum = params.text("of") != "order"};
}

HeadCost cost(const Params&, const HeadHost& host) {
  const std::int64_t table = host.vocabulary * host.width;
  return {.parameters = table,
          .multiply_adds = static_cast<double>(table),
          .bytes = kRows * kFloat32 * static_cast<double>(host.vocabulary),
          .embeddings = table};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its head of a window starts from one stack; the backbone has two" : "";
}

std::string metric(const Params& params, std::string_view what) {
  return fmt::format("{}_{}", params.text("of"), what);
}

std::string which(const Params& params) {
  const std::string& of = params.text("of");
  const std::int64_t window = params.integer("window");
  if (of == "order") return fmt::format("head of the order of {} tokens", window);
  if (of == "summary") return fmt::format("head of what occurs in {} tokens", window);
  return fmt::format("head of {} discounted tokens", window);
}

}  // namespace

HeadSpec future_window_head_spec() {
  return {
      .name = "future_window",
      .summary = "the tokens of a window ahead, order aside",
      .source =
          "order: Zuhri et al. 2025, arXiv:2508.19228, section 3; summary: Mahajan et al. 2025, "
          "arXiv:2510.14751, section 3",
      .params = {choice("of", "discounted", {"discounted", "order", "summary"},
                        "discounted and order: one distribution over tokens, whose target is a "
                        "distribution; summary: for each token whether it occurs"),
                 integer("window", 8, 2, 64, "tokens: the labels of a place")},
      .traits = traits,
      .cost = cost,
      .refusal = refusal,
      .metric = metric,
      .which = which};
}

}  // namespace ablate::models
