// The head that learns ratios of probabilities under uniform noise, for planning.

#include "harness/contract/head.h"

namespace ablate::models {

HeadSpec uniform_score_head_spec() {
  return {.name = "uniform_score",
          .summary = "how much more probable each token is at its place than the one shown there",
          .source = "Lou, Meng & Ermon 2024, arXiv:2310.16834, section 3.2",
          .params = {choice("scores", "denoised", {"denoised", "free"},
                            "denoised: those that a distribution of the token before the noise "
                            "implies; free: one for each token, learned by itself")},
          .traits = [](const Params&) { return HeadTraits{.reads_shown = true, .own_loss = true}; },
          .cost = [](const Params&, const HeadHost&) { return HeadCost(); },
          .at_inference = true};
}

}  // namespace ablate::models
