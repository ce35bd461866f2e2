// The head that tells replaced tokens from those of the text, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params&) { return {.ahead = 0, .classes = 2, .own_loss = true}; }

// Its layer runs at scored places alone; where it is asked for, these are nearly all.
HeadCost cost(const Params&, const HeadHost& host) {
  const std::int64_t square = host.width * host.width;
  return {.parameters = square + host.width,
          .multiply_adds = static_cast<double>(square + host.width),
          .bytes = 3 * kFloat32Bytes * static_cast<double>(host.width)};
}

std::string metric(const Params&, std::string_view what) {
  return fmt::format("detection_{}", what);
}

std::string which(const Params&) { return "head that detects replaced tokens"; }

}  // namespace

HeadSpec detection_head_spec() {
  return {.name = "detection",
          .summary = "whether the token at the state's own place was replaced",
          .source = "Clark et al. 2020, arXiv:2003.10555, section 2",
          .traits = traits,
          .cost = cost,
          .metric = metric,
          .which = which,
          .at_inference = true};
}

}  // namespace ablate::models
