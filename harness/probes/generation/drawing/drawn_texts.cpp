#include "harness/probes/generation/drawing/drawn_texts.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/probes/documents.h"
#include "harness/probes/generation/drawing/format_source.h"
#include "harness/probes/generation/drawing/unmasking_source.h"
#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kLengthsFrom = 10'000;  // training documents that lengths are drawn from

/// Masked texts with the lengths of training documents, truncated to `maximum` tokens. A
/// truncated text has no end token.
std::vector<UnfinishedText> masked(const Subject& subject, const Rng& lengths_rng,
                                   const std::vector<std::vector<Token>>& prompts,
                                   std::size_t maximum) {
  std::vector<std::size_t> lengths;
  for (const auto document : documents_of(subject.corpus.training(), kLengthsFrom))
    if (document.size() > prompts.front().size() + 1) lengths.push_back(document.size());
  if (lengths.empty()) lengths.push_back(maximum + 1);
  std::vector<UnfinishedText> list;
  list.reserve(prompts.size());
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    Rng rng = lengths_rng.fork(i).fork("length");
    const std::size_t drawn =
        lengths[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(lengths.size())))];
    UnfinishedText text{prompts[i], prompts[i].size()};
    text.tokens.resize(std::min(drawn, maximum), mask_token);
    if (drawn <= maximum) text.tokens.back() = end_token;
    list.push_back(std::move(text));
  }
  return list;
}

/// The source for a model that reads out each token at the place before its own.
TokenSource read_out_before(TokenSource source) {
  source.predict = [own = std::move(source.predict)](std::span<const std::span<const Token>> texts,
                                                     std::span<const Place> places) {
    std::vector<Place> before(places.begin(), places.end());
    for (Place& place : before) --place.position;  // a text starts with the begin token
    return own(texts, before);
  };
  return source;
}

}  // namespace

DrawingScheme scheme_of(const Subject& subject) {
  return drawing_scheme(subject.objective(), subject.phase.params, subject.model.backbone->offer);
}

bool can_draw(const Subject& subject) { return scheme_of(subject) != DrawingScheme::none; }

bool draws_left_to_right(const Subject& subject) {
  return generation_by(scheme_of(subject)) == Generation::ancestral;
}

TokenSource source_for(const Subject& subject, const Sampler& sampler, std::size_t given,
                       std::size_t length) {
  const DrawingScheme scheme = scheme_of(subject);
  if (scheme == DrawingScheme::through_format)
    return format_source(subject, sampler, given, length);
  if (scheme == DrawingScheme::left_to_right) return sampler.source(Attention::causal);
  if (subject.phase.objective.unmask) return unmasking_source(subject, sampler);
  TokenSource filled = sampler.source(Attention::bidirectional);
  return subject.phase.objective.needs.alignment == Alignment::in_place
             ? filled
             : read_out_before(std::move(filled));
}

std::size_t drawn_length(const Subject& subject, std::size_t given, std::size_t length) {
  if (scheme_of(subject) != DrawingScheme::through_format) return length;
  const std::size_t longest = longest_through_format(subject, given, length);
  if (longest == given)
    reject(
        "nothing can be drawn after a prompt of {} tokens: in the format of {} it leaves no room "
        "in "
        "a context of {}; give a shorter prompt",
        given - 1, subject.objective().name, subject.phase.context);
  return longest;
}

void note_length(Json& details, std::size_t drawn, std::size_t length) {
  if (drawn < length)
    details["shorter"] = {{"tokens", drawn},
                          {"of", length},
                          {"reason", "the marks of the arm's format take up the rest"}};
}

std::vector<UnfinishedText> unfinished_texts(const Subject& subject, const Rng& rng,
                                             const std::vector<std::vector<Token>>& starts,
                                             std::size_t length) {
  if (!draws_left_to_right(subject)) return masked(subject, rng, starts, length);
  std::vector<UnfinishedText> texts;
  texts.reserve(starts.size());
  for (const std::vector<Token>& start : starts) texts.push_back({start, start.size()});
  return texts;
}

std::vector<Sample> draw_texts(const Subject& subject, const Sampler& sampler,
                               const std::vector<std::vector<Token>>& starts, std::size_t length,
                               std::int64_t rounds, const SamplingProgress& progress) {
  const std::size_t given = starts.front().size(), drawn = drawn_length(subject, given, length);
  const std::vector<UnfinishedText> texts = unfinished_texts(subject, sampler.rng, starts, drawn);
  return drawn_by(exact_sampler(generation_by(scheme_of(subject))),
                  source_for(subject, sampler, given, drawn),
                  {.texts = texts, .length = drawn, .rounds = rounds, .progress = progress});
}

}  // namespace ablate::probes
