// A head of multi-token prediction, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

constexpr double kFloat32 = 4;  // bytes

HeadTraits traits(const Params& params) {
  const std::string& architecture = params.text("architecture");
  const bool block = architecture == "transformer" || architecture == "sequential";
  return {.ahead = params.integer("ahead"),
          .blocks = block ? 1 : 0,
          .taken = block && params.text("trunk") == "shortened" ? 1 : 0,
          .continues = architecture == "sequential"};
}

HeadCost cost(const Params& params, const HeadHost& host) {
  const std::string& architecture = params.text("architecture");
  const std::int64_t square = host.width * host.width;
  const BlockCost& block = host.block;
  if (architecture == "transformer") return {block.parameters, block.multiply_adds, block.bytes};
  if (architecture == "linear") return {square, static_cast<double>(square), 0};
  if (architecture == "sequential")
    return {block.parameters + 2 * square + 2 * host.width,
            block.multiply_adds + static_cast<double>(2 * square),
            block.bytes + 8 * kFloat32 * static_cast<double>(host.width)};
  return {};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its heads of future tokens start from one stack; the backbone has two"
                       : "";
}

std::string metric(const Params& params, std::string_view what) {
  return fmt::format("{}_ahead_{}", what, params.integer("ahead"));
}

std::string which(const Params& params) {
  return fmt::format("{} tokens ahead", params.integer("ahead"));
}

}  // namespace

HeadSpec future_tokens_head_spec() {
  return {
      .name = "future_tokens",
      .summary = "a token further ahead than the next one",
      .source =
          "Gloeckle et al. 2024, arXiv:2404.19737, section 2; sequential: DeepSeek-AI 2024, "
          "arXiv:2412.19437, section 2.2",
      .params = {integer("ahead", 2, 2, 64, "tokens ahead of the state; 1 is the next token"),
                 choice("architecture", "transformer",
                        {"transformer", "linear", "sequential", "shared"},
                        "transformer: a block on the trunk; linear: a matrix on the last state; "
                        "sequential: a block that reads the stream of the head before it and the "
                        "true token; shared: nothing, the last state predicts all"),
                 choice("trunk", "shortened", {"shortened", "whole"},
                        "shortened: the trunk has one block less for a block of the head")},
      .traits = traits,
      .cost = cost,
      .refusal = refusal,
      .metric = metric,
      .which = which};
}

}  // namespace ablate::models
