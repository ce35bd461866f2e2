// Semi-autoregressive unmasking: a text is filled block by block from left to right, and the masks of a
// block in random order or by confidence. Models that were trained on whole texts can be drawn so, too;
// of those that were trained on blocks, it takes their own size unless it is given one that divides it.

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  TokenSource blocks = source;
  const auto asked = static_cast<std::size_t>(task.options.integer("block"));
  // Masks of one block of the model alone are read together.
  if (source.block == 0 || source.block % asked == 0) blocks.block = asked;
  return fill_masks(
      blocks, task,
      task.options.text("order") == "random" ? UnmaskingOrder::random : UnmaskingOrder::confidence);
}

}  // namespace

SamplerSpec semi_autoregressive_sampler() {
  return {
      .name = "semi_autoregressive",
      .summary = "fills the masks of one block after another, from left to right",
      .source =
          "Arriola et al. 2025, arXiv:2503.09573, section 3.2; Nie et al. 2025, "
          "arXiv:2502.09992, section 2.4 (by confidence)",
      .generation = Generation::unmasking,
      .in_blocks = true,
      .caveat =
          "of arms of block diffusion whose blocks this size does not divide, drawn in blocks of "
          "theirs",
      .params =
          {integer("block", 4, 1, 65536,
                   "tokens per block; a model with blocks of its own uses their size, unless this "
                   "divides it"),
           choice("order", "random", {"random", "confidence"},
                  "order in which a block's masks are filled: random, or the most certain first")},
      .draw = draw};
}

}  // namespace ablate::probes
