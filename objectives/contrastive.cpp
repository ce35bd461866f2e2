// Contrastive learning: tell the segment that follows in the document from those of other texts.
//
// Two neighbouring segments of a document are read apart from each other, each behind a place of its
// own, whose state stands for it. The loss of a pair is that of naming the second segment among the
// second segments of all pairs of the step, given the first. All segments have the same length, so
// that the length says nothing, and every stretch of ordinary tokens within one document is as likely
// to be drawn as any other: its place is drawn before it is known whether the text goes that far.
// Texts that do not go that far have no pair.
//
// The optimum is exact among predictors that compare a first segment with every second one: the
// posterior of pair j is proportional to P(second j | first) / P(second j). Its sums are over the
// pairs of a step. Source: van den Oord et al. 2018, arXiv:1807.03748, section 2.3.
//
// Source: Lee et al. 2019, "Latent Retrieval for Weakly Supervised Open Domain Question Answering",
// arXiv:1906.00300, section 4 (a sentence and what stands around it), with the head of SimCSE.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "harness/contract/objective.h"
#include "objectives/common/pairs/neighbours.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   [CLS] b c   [CLS] d e     the two segments do not see each other\n"
    "label    at the first [CLS]: the second one belongs to it, and no other of the step does\n";

constexpr std::string_view kDiffers =
    "the second segment follows the first; Lee et al. take a sentence out of its passage\n"
    "the loss is of one direction, as SimCSE's; SimCLR and CLIP take both\n"
    "where texts start with a document (packing: padded), places near the end of a text are drawn "
    "less often than the optimum supposes\n";

/// A place for the state of each segment, and the segment; empty where the text has no pair. `starts`:
/// how many places of a longest text a pair can start at.
Example pair_of(std::size_t segment, std::int64_t starts, const Text& text, Rng rng) {
  std::size_t first = 0, end = text.tokens.size();
  if (first < end && text.tokens[first] == begin_token) ++first;
  if (first < end && text.tokens[end - 1] == end_token) --end;
  const std::size_t start = first + static_cast<std::size_t>(rng.below(starts));
  const bool fits = start + 2 * segment <= end;
  Example example;
  example.facts = {{"pairs", fits ? 1.0 : 0.0}};
  if (!fits) return example;
  const auto half = static_cast<std::int32_t>(segment + 1);
  for (std::int32_t side = 0; side < 2; ++side) {
    const auto own = text.tokens.subspan(start + static_cast<std::size_t>(side) * segment, segment);
    example.inputs.push_back(classify_token);
    example.inputs.insert(example.inputs.end(), own.begin(), own.end());
    for (std::int32_t place = 0; place < half; ++place) {
      example.positions.push_back(place);
      example.sees.push_back({side * half, (side + 1) * half});
    }
  }
  example.labels = {{.head = 0, .at = 0, .weight = 1, .partner = half}};
  return example;
}

std::vector<Loss> optimum(const Chain& language, std::span<const MadeExample> step) {
  std::vector<std::span<const Token>> first, second;
  for (const MadeExample& made : step) {
    if (made.example.labels.empty()) continue;
    const std::span<const Token> inputs = made.example.inputs;
    const std::size_t half = inputs.size() / 2;
    first.push_back(inputs.subspan(1, half - 1));
    second.push_back(inputs.subspan(half + 1, half - 1));
  }
  const std::vector<double> posteriors = neighbour_posteriors(language, first, second);
  std::vector<Loss> losses(step.size());
  for (std::size_t i = 0, pair = 0; i < step.size(); ++i)
    if (!step[i].example.labels.empty()) {
      losses[i] = {-std::log(posteriors[pair * first.size() + pair]), 1};
      ++pair;
    }
  return losses;
}

/// All pairs of the step are equally likely.
std::vector<Loss> context_free(std::span<const MadeExample> step) {
  const auto pairs = std::count_if(step.begin(), step.end(), [](const MadeExample& made) {
    return !made.example.labels.empty();
  });
  std::vector<Loss> losses(step.size());
  for (std::size_t i = 0; i < step.size(); ++i)
    if (!step[i].example.labels.empty()) losses[i] = {std::log(static_cast<double>(pairs)), 1};
  return losses;
}

Objective build(const Params& params, const Context& context) {
  const std::int64_t length = context.text_length;
  const std::int64_t segment =
      params.has("segment") ? params.integer("segment") : std::max<std::int64_t>(1, length / 16);
  if (2 * segment > length)
    reject(
        "contrastive: segment = {} does not fit twice into a text of {} tokens; choose at most {}",
        segment, length, length / 2);
  const auto tokens = static_cast<std::size_t>(segment);
  return {.needs = {.attention = Attention::bidirectional,
                    .alignment = Alignment::in_place,
                    .unit = Unit::document,
                    .heads = {{.kind = "contrastive",
                               .params = {{"temperature", params.number("temperature")}}}}},
          .transform =
              [=](const Text& text, Rng rng) {
                return std::vector{pair_of(tokens, length - 2 * segment + 1, text, rng)};
              },
          .step_optimum = optimum,
          .step_context_free = context_free,
          .lengths = [=](std::int64_t text_tokens) -> Lengths {
            const std::int64_t inputs = text_tokens < 2 * segment ? 0 : 2 * (segment + 1);
            return {inputs, 0, inputs};
          }};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec contrastive_objective() {
  return {.name = "contrastive",
          .summary = "tell the segment that follows in the document from those of other texts",
          .picture = kPicture,
          .source = "Lee et al. 2019, arXiv:1906.00300, section 4",
          .differs = kDiffers,
          .params = {optional(integer("segment", nullptr, 1, 32768,
                                      "tokens of each of the two segments; absent: a sixteenth "
                                      "of the text length")),
                     number("temperature", 0.05, 0.001, 100,
                            "what cosines are divided by to give logits")},
          .build = build,
          .optimum_kind = optimum_kind,
          .predicts_in_place = [](const Params&) { return true; },
          .predicts_tokens = false};
}

}  // namespace ablate::objectives
