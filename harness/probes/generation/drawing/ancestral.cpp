#include "harness/probes/generation/drawing/ancestral.h"

#include "harness/probes/generation/samplers/common/continuing.h"

namespace ablate::probes {

std::vector<Sample> draw_left_to_right(const Sampler& sampler,
                                       const std::vector<std::vector<Token>>& starts,
                                       std::int64_t length, const SamplingProgress& progress) {
  std::vector<UnfinishedText> texts;
  texts.reserve(starts.size());
  for (const std::vector<Token>& start : starts) texts.push_back({start, start.size()});
  return continue_by_draws(
      sampler.source_of_whole_texts(Attention::causal),
      {.texts = texts, .length = static_cast<std::size_t>(length), .progress = progress});
}

}  // namespace ablate::probes
