// Span corruption: hide random spans behind sentinels, predict what was hidden.
//
// `law: composition` follows the reference: every mask with the text's numbers of hidden tokens and
// spans is equally likely, given that the first token is kept and the last one hidden. Without
// `roll`, late tokens are therefore hidden more often than early ones, and a long span in a short
// text makes the objective a prefix LM. `roll` rotates the mask by a random offset.
//
// An end token in the text is kept in place, and the inputs end with another one. A text with
// nothing to hide has the end token as its only target.
//
// Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified
// Text-to-Text Transformer", arXiv:1910.10683, section 3.1.4.

#include "objectives/common/spans/span_optimum.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kName = "span_corruption";

constexpr std::string_view kPicture =
    "text     a b c d e f g h\n"
    "inputs   a b S0 e f g S1 .     S0, S1: sentinels; . is the end token\n"
    "targets  S0 c d S1 h .\n";

constexpr std::string_view kDiffers =
    "each document's part is corrupted separately, and its begin and end tokens are never hidden "
    "nor counted, because a span across documents would join unrelated text; the reference joins "
    "documents\n"
    "no sentinel closes the targets, as in the reference code; the paper's table 3 has one\n"
    "a rolled mask that starts with a hidden token has its own first sentinel; in the reference "
    "the sentinels of inputs and targets are then off by one\n"
    "Poisson and geometric lengths are drawn given the exact counts; Megatron-LM draws until "
    "enough tokens are hidden";

SpanSettings settings_of(const Params& params) {
  const std::string& distribution = params.text("law");
  return {.density = params.number("noise_density"),
          .mean = params.number("mean_span_length"),
          .distribution = distribution == "poisson"     ? LengthDistribution::poisson
                          : distribution == "geometric" ? LengthDistribution::geometric
                                                        : LengthDistribution::composition,
          .longest = params.integer("longest_span"),
          .roll = params.toggle("roll")};
}

std::vector<Example> transform(const SpanNoise& noise, const Vocabulary& vocabulary,
                               const Text& text, Rng rng) {
  std::vector<Example> examples;
  for (const Part& part : parts_of(text)) {
    const auto tokens = static_cast<std::int64_t>(part.own_count);
    examples.push_back(
        corrupted(text, part, noise.draw(tokens, rng.fork(examples.size())), vocabulary));
  }
  return examples;
}

/// The fractions in texts of the full length; shorter texts differ by the rounding of their counts.
std::vector<Intended> intended(const SpanNoise& noise, std::int64_t tokens) {
  if (tokens < 2) return {};
  const double fraction =
      static_cast<double>(noise.counts(tokens).tokens) / static_cast<double>(tokens);
  return {{"corruption", fraction, 0.05}, {"prediction", fraction, 0.05}};
}

Objective build(const Params& params, const Context& context) {
  const auto noise =
      std::make_shared<const SpanNoise>(kName, settings_of(params), context.text_length);
  return {
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::continuation,
                .unit = Unit::document,
                .sentinels = noise->sentinels(context.text_length)},
      .transform = [noise, vocabulary = context.vocabulary](
                       const Text& text,
                       Rng rng) { return transform(*noise, vocabulary, text, rng); },
      .optimum =
          [noise](const Chain& language, const Text& text, const Example& example) {
            return span_optimum(*noise, language, text, example);
          },
      .context_free = [](std::span<const double> unigram, const Text&,
                         const Example& example) { return span_context_free(unigram, example); },
      .lengths = [noise](std::int64_t tokens) { return noise->lengths(tokens); },
      .intended = intended(*noise, context.text_length),
      .cloze = [vocabulary = context.vocabulary](
                   const Cloze& cloze) { return span_cloze(cloze, vocabulary); },
      .cloze_stop = [vocabulary = context.vocabulary](
                        const Cloze& cloze) { return span_stop(cloze, vocabulary); }};
}

ClozeFormat cloze_format(const Params&) { return ClozeFormat::both_sides; }

OptimumKind optimum_kind(const Params&) { return OptimumKind::lower; }

}  // namespace

ObjectiveSpec span_corruption_objective() {
  return {
      .name = kName,
      .summary = "hide random spans behind sentinels, predict what was hidden",
      .picture = kPicture,
      .source = "Raffel et al. 2020, arXiv:1910.10683, section 3.1.4",
      .differs = kDiffers,
      .params = {number("noise_density", 0.15, 0.01, 0.99,
                        "fraction of the tokens hidden; special ones never are"),
                 number("mean_span_length", 3, 1, 512, "mean length of a hidden span, tokens"),
                 choice("law", "composition", {"composition", "poisson", "geometric"},
                        "distribution of span lengths, given their number and sum. composition: "
                        "every way to cut the hidden tokens is equally likely; poisson: "
                        "zero-truncated; geometric: clipped to longest_span"),
                 integer("longest_span", 10, 1, 512,
                         "law geometric: maximum length of a span, tokens"),
                 toggle(
                     "roll", false,
                     "whether the spans are rotated around the end of the text by a random "
                     "offset; otherwise the first token is always kept and the last one hidden")},
      .build = build,
      .optimum_kind = optimum_kind,
      .cloze_format = cloze_format};
}

}  // namespace ablate::objectives
