// The head for pairs of segments, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params&) { return {.ahead = 0, .classes = 2, .own_loss = true}; }

HeadCost cost(const Params&, const HeadHost& host) {
  return {.parameters = host.width * (host.width + 2)};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its head for pairs reads one stack; the backbone has two" : "";
}

std::string metric(const Params&, std::string_view what) { return fmt::format("pair_{}", what); }

std::string which(const Params&) { return "head of pairs"; }

}  // namespace

HeadSpec pair_head_spec() {
  return {.name = "pair",
          .summary = "one of two classes of a pair of segments, from the state of one place",
          .source = "Devlin et al. 2019, arXiv:1810.04805, section 3.1",
          .traits = traits,
          .cost = cost,
          .refusal = refusal,
          .metric = metric,
          .which = which};
}

}  // namespace ablate::models
