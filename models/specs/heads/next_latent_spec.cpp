// The head that predicts the states of later places, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

constexpr double kFloat32 = 4;  // bytes

HeadTraits traits(const Params&) { return {.ahead = 0, .own_loss = true}; }

HeadCost cost(const Params& params, const HeadHost& host) {
  const auto steps = static_cast<double>(params.integer("steps"));
  const auto width = static_cast<double>(host.width),
             vocabulary = static_cast<double>(host.vocabulary);
  const std::int64_t parameters = 4 * host.width * host.width + 2 * host.width;
  // Of each step the layers, and the logits of both sides, of which the goals have no backward pass and the table
  // has none: as much as one product with one. For the backward pass each step keeps its inputs, twice, three layers, and the
  // logits of both sides.
  return {.parameters = parameters,
          .multiply_adds = steps * (4 * width * width + vocabulary * width),
          .bytes = kFloat32 * steps * (9 * width + 4 * vocabulary)};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its head of later states starts from one stack; the backbone has two"
                       : "";
}

std::string metric(const Params&, std::string_view what) { return fmt::format("latent_{}", what); }

std::string which(const Params&) { return "head of later states"; }

}  // namespace

HeadSpec next_latent_head_spec() {
  return {.name = "next_latent",
          .summary = "the states of the next places, step by step, given the tokens there",
          .source = "Teoh et al. 2025, arXiv:2511.05963, section 3.2",
          .params = {integer("steps", 1, 1, 16, "places ahead, each from the prediction before it"),
                     number("state_weight", 1, 0, 10, "of the distance between states"),
                     number("prediction_weight", 1, 0, 10,
                            "of the divergence between what both states predict")},
          .traits = traits,
          .cost = cost,
          .refusal = refusal,
          .metric = metric,
          .which = which};
}

}  // namespace ablate::models
