// Replaced token detection: tell which tokens of a text were replaced by others.
//
// Every token that is not special is replaced with the same probability by an ordinary token drawn
// uniformly, and every such token is labelled: replaced, or as it was. A replacement that happens to
// be the right token counts as it was.
//
// Source: Clark et al. 2020, "ELECTRA: Pre-training Text Encoders as Discriminators Rather Than
// Generators", arXiv:2003.10555, section 2, with the uniform generator of its code.

#include <cmath>

#include "harness/contract/objective.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a x c d y f     b and e were replaced\n"
    "label    0 1 0 0 1 0     of each place\n";

constexpr std::string_view kDiffers =
    "replacements are drawn uniformly, where ELECTRA's are from a small masked language model that "
    "is trained with it\n"
    "each token is replaced independently; ELECTRA masks a fixed number of each text\n"
    "special tokens are not replaced and not labelled\n";

constexpr Token kAsItWas = 0, kReplaced = 1;  // labels

TokenChannel channel_of(const Params& params, const Context& context) {
  return {.rate = params.number("rate"),
          .mask = 0,
          .random = 1,
          .ordinary = context.vocabulary.ordinary};
}

std::vector<Example> transform(const TokenChannel& channel, const Text& text, Rng rng) {
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  const Rng which = rng.fork(1);
  for (const std::int32_t position : hide_each(text, channel.rate, rng.fork(0))) {
    Rng own = which.fork(static_cast<std::uint64_t>(position));
    example.inputs[static_cast<std::size_t>(position)] =
        special_count + static_cast<Token>(own.below(channel.ordinary));
    example.hidden.push_back({position, HiddenAs::random});
  }
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (!text.is_special(i))
      example.labels.push_back(
          {.head = 0,
           .at = static_cast<std::int32_t>(i),
           .target = example.inputs[i] == text.tokens[i] ? kAsItWas : kReplaced});
  return examples;
}

/// The cost of a label, given the probabilities of what is shown with either one, up to a factor.
Loss cost(const Label& label, double as_it_was, double replaced) {
  const double right = label.target == kReplaced ? replaced : as_it_was;
  return {label.weight * std::log((as_it_was + replaced) / right), label.weight};
}

/// P(shown token | replaced or not) by the state of its place: a token is shown as it was if it was
/// not drawn, or drawn and happened to be the same.
Loss optimum(const TokenChannel& channel, const Chain& language, const Text& text,
             const Example& example) {
  const auto states = static_cast<std::size_t>(language.composite_states());
  const double drawn = channel.rate / channel.ordinary;  // as one certain token
  Loss loss;
  std::size_t next = 0;
  for (const Segment& segment : segments(text.tokens)) {
    const auto shown = std::span<const Token>(example.inputs).subspan(segment.first, segment.count);
    const std::vector<double> weights = leave_one_out_smoothing(
        language, static_cast<std::int64_t>(segment.count),
        evidence_through(channel, language, shown), segment.starts_document);
    const Evidence emission = emission_likelihood(language, shown);
    for (; next < example.labels.size(); ++next) {
      const Label& label = example.labels[next];
      const std::size_t at = static_cast<std::size_t>(label.at) - segment.first;
      if (at >= segment.count) break;
      double as_it_was = 0, replaced = 0;
      for (std::size_t z = 0; z < states; ++z) {
        if (z % static_cast<std::size_t>(language.states) + 1 ==
            static_cast<std::size_t>(language.states))
          continue;  // a document's end is never replaced
        const double u = weights[at * states + z], e = emission[at * states + z];
        as_it_was += u * e * (1 - channel.rate + drawn);
        replaced += u * (1 - e) * drawn;
      }
      loss += cost(label, as_it_was, replaced);
    }
  }
  return loss;
}

Loss context_free(const TokenChannel& channel, std::span<const double> unigram,
                  const Example& example) {
  const double drawn = channel.rate / channel.ordinary, words = 1 - unigram.back();
  Loss loss;
  for (const Label& label : example.labels) {
    const Token shown = example.inputs[static_cast<std::size_t>(label.at)] - special_count;
    if (shown < 0 || shown >= channel.ordinary) continue;  // such as a tokenizer's unknown piece
    const double own = unigram[static_cast<std::size_t>(shown)] / words;
    loss += cost(label, own * (1 - channel.rate + drawn), (1 - own) * drawn);
  }
  return loss;
}

Objective build(const Params& params, const Context& context) {
  const TokenChannel channel = channel_of(params, context);
  return {
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::in_place,
                .heads = {{.kind = "detection"}}},
      .transform = [channel](const Text& text, Rng rng) { return transform(channel, text, rng); },
      .optimum = [channel](
                     const Chain& language, const Text& text,
                     const Example& example) { return optimum(channel, language, text, example); },
      .context_free =
          [channel](std::span<const double> unigram, const Text&, const Example& example) {
            return context_free(channel, unigram, example);
          },
      .intended = {{"corruption", channel.rate, 0.01}}};
}

OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec replaced_token_detection_objective() {
  return {.name = "replaced_token_detection",
          .summary = "tell which tokens were replaced by others, drawn uniformly",
          .picture = kPicture,
          .source = "Clark et al. 2020, arXiv:2003.10555, section 2",
          .differs = kDiffers,
          .params = {number("rate", 0.15, 0.001, 0.999,
                            "fraction of the tokens that are replaced; special ones never are")},
          .build = build,
          .optimum_kind = optimum_kind,
          .predicts_tokens = false};
}

}  // namespace ablate::objectives
