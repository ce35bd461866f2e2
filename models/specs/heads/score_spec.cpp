// The head that learns ratios of probabilities, for planning.

#include "harness/contract/head.h"

namespace ablate::models {

HeadSpec score_head_spec() {
  return {.name = "score",
          .summary = "the token at a masked place, by scores that need not add up to 1",
          .source = "Lou, Meng & Ermon 2024, arXiv:2310.16834, section 3.2",
          .traits = [](const Params&) { return HeadTraits{.own_loss = true}; },
          .cost = [](const Params&, const HeadHost&) { return HeadCost(); },
          .at_inference = true};
}

}  // namespace ablate::models
