// Unmasking from left to right: a model that fills masks writes in the order of a causal one, but it is
// told the length.

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  return fill_masks(source, task, UnmaskingOrder::left_to_right);
}

}  // namespace

SamplerSpec left_to_right_sampler() {
  return {.name = "left_to_right",
          .summary = "fills the masks from left to right, given what is there",
          .source = "Wang & Cho 2019, arXiv:1902.04094 (sequential order)",
          .generation = Generation::unmasking,
          .in_blocks = true,
          .draw = draw};
}

}  // namespace ablate::probes
