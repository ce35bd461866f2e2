// The head that compares states, for planning.

#include <fmt/core.h>

#include "harness/contract/backbone.h"

namespace ablate::models {
namespace {

HeadTraits traits(const Params&) { return {.ahead = 0, .couples_rows = true, .own_loss = true}; }

// The products of a step's states with each other are not counted: at 64 pairs they are below a
// thousandth of a small trunk's.
HeadCost cost(const Params& params, const HeadHost& host) {
  const std::string& projection = params.text("projection");
  const std::int64_t layers = projection == "none" ? 0 : projection == "two_layers" ? 2 : 1;
  const std::int64_t scalars = (params.has("scale") ? 1 : 0) + (params.has("loss") ? 1 : 0);
  return {.parameters = layers * host.width * host.width + scalars};
}

std::string refusal(const Offer& offer) {
  return offer.encoder ? "its head compares states of one stack; the backbone has two" : "";
}

std::string metric(const Params&, std::string_view what) {
  return fmt::format("contrastive_{}", what);
}

std::string which(const Params&) { return "head that compares states"; }

std::vector<Param> params() {
  return {
      number("temperature", 0.05, 0.001, 100, "what cosines are divided by to give logits"),
      choice(
          "directions", "one", {"one", "both", "all"},
          "one: a place among the partners of all; both: also a partner among the places of all; "
          "all: each among the places and the partners of all, except itself"),
      choice("projection", "tanh", {"tanh", "none", "two_layers"},
             "what the head makes of a state before it is compared. tanh: a layer with tanh; none: "
             "nothing; two_layers: two layers with ReLU between. No probe reads it"),
      optional(number("hard_negative_weight", Json(), -100, 100,
                      "each pair has a third state, behind its partner, that is a further class of "
                      "every place; what its own logit gains; absent: there are none")),
      optional(choice("scale", Json(), {"learned"},
                      "learned: cosines are multiplied by a number that is trained, from 1 / "
                      "temperature on and never above 100 (CLIP); absent: by 1 / temperature")),
      optional(
          choice("loss", Json(), {"sigmoid"},
                 "sigmoid: of each two states of the step, whether they belong together, with "
                 "a trained bias (SigLIP); absent: which of the step's states belongs to one"))};
}

}  // namespace

HeadSpec contrastive_head_spec() {
  return {.name = "contrastive",
          .summary = "which of a step's places belongs to a given place, from the states of both",
          .source = "Gao et al. 2021, arXiv:2104.08821, section 3",
          .params = params(),
          .traits = traits,
          .cost = cost,
          .refusal = refusal,
          .metric = metric,
          .which = which};
}

}  // namespace ablate::models
