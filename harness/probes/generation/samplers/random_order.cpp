// Unmasking in random order: the masks of a text are filled in a uniformly random order, given what is
// there. With one token per round it is ancestral sampling of an order-agnostic model, the reverse
// process of masked diffusion.

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  return fill_masks(source, task, UnmaskingOrder::random);
}

}  // namespace

SamplerSpec random_order_sampler() {
  return {.name = "random_order",
          .summary = "fills the masks in random order, given what is there",
          .source =
              "Uria, Murray & Larochelle 2014, arXiv:1310.1757 (uniformly random order); "
              "Hoogeboom et al. 2022, arXiv:2110.02037 (several tokens per round)",
          .generation = Generation::unmasking,
          .in_blocks = true,
          .draw = draw};
}

}  // namespace ablate::probes
