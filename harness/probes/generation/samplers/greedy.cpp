// Greedy decoding: each token is the most probable one given all tokens before it.

#include <cmath>

#include "harness/probes/generation/samplers/common/continuing.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/generation/token_filters/greedy.h"

namespace ablate::probes {
namespace {

/// Of equally probable tokens the first.
std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  return continue_texts(source, task, [&source](std::span<const float> logits, double) {
    const TokenDistribution all = source.own_distribution(logits, true);
    TokenDistribution best = all;
    greedy()(best);
    const Token token = draw_from(best, source.vocabulary, 0).token;
    return Draw{token, -std::log(all.total)};  // the highest score is 0
  });
}

}  // namespace

SamplerSpec greedy_sampler() {
  return {.name = "greedy",
          .summary = "takes the most probable token given all tokens before it",
          .source = "Holtzman et al. 2020, arXiv:1904.09751, section 3 (why it degenerates)",
          .generation = Generation::ancestral,
          .deterministic = true,
          .draw = draw};
}

}  // namespace ablate::probes
