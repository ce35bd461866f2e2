// Replaced token detection: tell which tokens of a text were replaced by others.
//
// Every token that is not special is replaced with the same probability by an ordinary token drawn
// uniformly, and every such token is labelled: replaced, or as it was. A replacement that happens to
// be the right token counts as it was.
//
// With a learned generator the same tokens are hidden by masks instead. A small masked language model,
// trained with the backbone, predicts them, and what the backbone reads in their places are samples of
// its predictions. The step makes the labels: a sample that is the right token counts as it was. Which
// labels a text has is not known here, so there is neither an optimum nor a context-free floor; the
// generator's own loss has its optimum, that of masked language modelling.
//
// Source: Clark et al. 2020, "ELECTRA: Pre-training Text Encoders as Discriminators Rather Than
// Generators", arXiv:2003.10555, section 2; the uniform generator is in its code.

#include <cmath>

#include "harness/contract/objective.h"
#include "objectives/common/replacing/replacing.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a x c d y f     b and e were replaced\n"
    "label    0 1 0 0 1 0     1: replaced; 0: as it was, also where the same token was drawn\n"
    "\n"
    "with generator: learned\n"
    "masked   a _ c d _ f     is read by the generator, which predicts b and e\n"
    "inputs   a x c d e f     its samples: x is wrong, e is right\n"
    "label    0 1 0 0 0 0\n";

constexpr std::string_view kDiffers =
    "replacements are drawn uniformly by default, where ELECTRA's are from a small masked language "
    "model that is trained with it (generator: learned)\n"
    "a learned generator reads a mask wherever it predicts; ELECTRA leaves 15 % of these tokens as "
    "they are\n"
    "the generator never samples special tokens, which would be recognisable\n"
    "each token is replaced independently; ELECTRA masks a fixed share of each text's tokens\n"
    "special tokens are not labelled\n";

constexpr Token kAsItWas = 0, kReplaced = 1;  // labels

constexpr double kDetectionWeight = 50;  // of a learned generator

std::vector<Example> transform(const TokenChannel& channel, const Text& text, Rng rng) {
  std::vector<Example> examples = {with_replacements(channel, text, rng)};
  Example& example = examples.front();
  const bool masks = channel.mask > 0;
  // The step replaces the label of a mask by that of its sample.
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (!text.is_special(i))
      example.labels.push_back(
          {.head = 0,
           .at = static_cast<std::int32_t>(i),
           .target = masks || example.inputs[i] == text.tokens[i] ? kAsItWas : kReplaced});
  if (masks) add_generator_labels(text, example);
  return examples;
}

/// The cost of a label, given the probabilities of what is shown with either one, up to a factor.
Loss cost(const Label& label, double as_it_was, double replaced) {
  const double right = label.target == kReplaced ? replaced : as_it_was;
  return {label.weight * std::log((as_it_was + replaced) / right), label.weight};
}

/// A token is shown as it was if it was not drawn, or drawn and happened to be the same.
Loss optimum(const TokenChannel& channel, const Chain& language, const Text& text,
             const Example& example) {
  const double drawn = channel.rate / channel.ordinary;  // as one certain token
  const std::vector<ShownPlace> places = shown_places(channel, language, text, example.inputs);
  Loss loss;
  for (const Label& label : example.labels) {
    const ShownPlace& place = places[static_cast<std::size_t>(label.at)];
    loss += cost(label, place.as_shown * (1 - channel.rate + drawn),
                 (place.any - place.as_shown) * drawn);
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

HeadNeed first_head(const Params& params) {
  HeadNeed head{.kind = "detection"};
  if (has_learned_generator(params))
    head.coefficient =
        params.has("detection_weight") ? params.number("detection_weight") : kDetectionWeight;
  return head;
}

Objective with_learned_generator(const Params& params, const TokenChannel& channel) {
  Needs needs{.attention = Attention::bidirectional,
              .alignment = Alignment::in_place,
              .heads = {first_head(params)}};
  for (HeadNeed& head : generator_heads(params)) needs.heads.push_back(std::move(head));
  return {
      .needs = std::move(needs),
      .transform = [channel](const Text& text, Rng rng) { return transform(channel, text, rng); },
      .label_optima =
          [channel](const Chain& language, const Text& text, const Example& example) {
            return generator_optimum(channel, language, text, example);
          },
      .intended = {{"corruption", channel.rate, 0.01}}};
}

Objective build(const Params& params, const Context& context) {
  constexpr std::string_view kOfLearned[] = {"detection_weight"};
  check_generator(params, "replaced_token_detection", kOfLearned);
  const TokenChannel channel = replacing_channel(params, context);
  if (has_learned_generator(params)) return with_learned_generator(params, channel);
  return {
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::in_place,
                .heads = {first_head(params)}},
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

OptimumKind optimum_kind(const Params& params) {
  return has_learned_generator(params) ? OptimumKind::none : OptimumKind::exact;
}

std::vector<Param> params() {
  std::vector<Param> rows = replacing_params();
  rows.push_back(optional(
      number("detection_weight", nullptr, 0, 1e6,
             "learned: weight of the detection loss beside the generator's (ELECTRA's lambda); "
             "absent: 50"),
      kDetectionWeight));
  return rows;
}

}  // namespace

ObjectiveSpec replaced_token_detection_objective() {
  return {.name = "replaced_token_detection",
          .summary = "tell which tokens were replaced by others, drawn uniformly or by a generator",
          .picture = kPicture,
          .source = "Clark et al. 2020, arXiv:2003.10555, section 2",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .predicts_in_place = [](const Params&) { return true; },
          .further_heads = generator_heads,
          .first_head = first_head};
}

}  // namespace ablate::objectives
