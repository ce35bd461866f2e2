// The head that compares states, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params&) { return {.ahead = 0, .couples_rows = true}; }

// The products of a step's states with each other are not counted: at 64 pairs they are below a
// thousandth of a small trunk's.
HeadCost cost(const Params&, const HeadHost& host) {
  return {.parameters = host.width * host.width};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its head compares states of one stack; the backbone has two" : "";
}

std::string metric(const Params&, std::string_view what) {
  return fmt::format("contrastive_{}", what);
}

std::string which(const Params&) { return "head that compares states"; }

}  // namespace

HeadSpec contrastive_head_spec() {
  return {.name = "contrastive",
          .summary = "which of a step's places belongs to a place, from the states of both",
          .source = "Gao et al. 2021, arXiv:2104.08821, section 3",
          .params = {number("temperature", 0.05, 0.001, 100,
                            "what cosines are divided by to give logits")},
          .traits = traits,
          .cost = cost,
          .refusal = refusal,
          .metric = metric,
          .which = which};
}

}  // namespace ablate::models
