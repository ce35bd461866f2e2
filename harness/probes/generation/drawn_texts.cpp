#include "harness/probes/generation/drawn_texts.h"

#include <algorithm>

#include "harness/probes/documents.h"
#include "harness/probes/generation/ancestral.h"
#include "harness/probes/generation/unmasking.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kLengthsFrom = 10'000;  // training documents that lengths are drawn from

/// Masked texts with the lengths of training documents, truncated to `maximum` tokens. A
/// truncated text has no end token.
std::vector<MaskedText> masked(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& prompts,
                               std::size_t maximum) {
  std::vector<std::size_t> lengths;
  for (const auto document : documents_of(subject.corpus.training(), kLengthsFrom))
    if (document.size() > prompts.front().size() + 1) lengths.push_back(document.size());
  if (lengths.empty()) lengths.push_back(maximum + 1);
  std::vector<MaskedText> list;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    Rng rng = sampler.rng.fork(i).fork("length");
    const std::size_t drawn =
        lengths[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(lengths.size())))];
    MaskedText masked_text{prompts[i], prompts[i].size()};
    masked_text.tokens.resize(std::min(drawn, maximum), mask_token);
    if (drawn <= maximum) masked_text.tokens.back() = end_token;
    list.push_back(std::move(masked_text));
  }
  return list;
}

}  // namespace

bool can_draw(const Subject& subject) {
  return subject.objective().generation != Generation::none &&
         !subject.model.backbone->offer.encoder;
}

bool draws_left_to_right(const Subject& subject) {
  return subject.objective().generation == Generation::ancestral;
}

std::vector<Sample> draw_texts(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& starts, std::size_t length,
                               std::int64_t rounds, const SamplingProgress& progress) {
  if (draws_left_to_right(subject))
    return draw_left_to_right(sampler, starts, static_cast<std::int64_t>(length), progress);
  return draw_by_unmasking(sampler, masked(subject, sampler, starts, length), rounds, progress);
}

}  // namespace ablate::probes
