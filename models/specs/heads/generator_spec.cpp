// The head that generates what replaces tokens, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"
#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params&) { return {.fills = true}; }

HeadCost cost(const Params& params, const HeadHost& host) {
  return host.network(narrow_network(params));
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its generator fills the inputs of one stack; the backbone has two" : "";
}

std::string metric(const Params&, std::string_view what) {
  return fmt::format("{}_generator", what);
}

std::string which(const Params&) { return "generator of replaced tokens"; }

}  // namespace

HeadSpec generator_head_spec() {
  return {.name = "generator",
          .summary =
              "the masked token at its own place, by a small network whose samples fill the masks",
          .source = "Clark et al. 2020, arXiv:2003.10555, section 2",
          .params = {number("width", 0.25, 0.001, 1,
                            "width of its network, as a fraction of the backbone's"),
                     choice("embeddings", "tied", {"tied", "own"},
                            "tied: it reads and predicts by the token table of the backbone; own: "
                            "it has its own tables")},
          .traits = traits,
          .cost = cost,
          .refusal = refusal,
          .metric = metric,
          .which = which,
          .facts = {"sampled_right"}};
}

}  // namespace ablate::models
