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

#include "harness/base/error.h"
#include "harness/contract/objective.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/rearrange/token_channel.h"

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

constexpr double kWidth = 0.25, kDetectionWeight = 50;  // of a learned generator

bool is_learned(const Params& params) { return params.has("generator"); }

/// A learned generator shows masks, the uniform one random tokens.
TokenChannel channel_of(const Params& params, const Context& context) {
  const double mask = is_learned(params) ? 1 : 0;
  return {.rate = params.number("rate"),
          .mask = mask,
          .random = 1 - mask,
          .ordinary = context.vocabulary.ordinary};
}

std::vector<Example> transform(const TokenChannel& channel, const Text& text, Rng rng) {
  const bool masks = channel.mask > 0;
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  const Rng which = rng.fork(1);
  for (const std::int32_t position : hide_each(text, channel.rate, rng.fork(0))) {
    Rng own = which.fork(static_cast<std::uint64_t>(position));
    example.inputs[static_cast<std::size_t>(position)] =
        masks ? Token{mask_token} : special_count + static_cast<Token>(own.below(channel.ordinary));
    example.hidden.push_back({position, masks ? HiddenAs::mask : HiddenAs::random});
  }
  // The step replaces the label of a mask by that of its sample.
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (!text.is_special(i))
      example.labels.push_back(
          {.head = 0,
           .at = static_cast<std::int32_t>(i),
           .target = masks || example.inputs[i] == text.tokens[i] ? kAsItWas : kReplaced});
  if (masks)
    for (const Hidden& hidden : example.hidden)
      example.labels.push_back({.head = 1,
                                .at = hidden.position,
                                .target = text.tokens[static_cast<std::size_t>(hidden.position)]});
  return examples;
}

/// The best loss of a learned generator: that of masked language modelling with masks alone.
std::vector<Loss> generator_optimum(const TokenChannel& channel, const Chain& language,
                                    const Text& text, const Example& example) {
  Example masked{.inputs = example.inputs};
  masked.targets.assign(text.tokens.begin(), text.tokens.end());
  masked.weights.assign(text.tokens.size(), 0.0f);
  for (const Label& label : example.labels)
    if (label.head == 1) masked.weights[static_cast<std::size_t>(label.at)] = label.weight;
  return {optimum_through(channel, language, text, masked)};
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

std::vector<HeadNeed> further_heads(const Params& params) {
  if (!is_learned(params)) return {};
  Json own = Json::object();
  if (params.has("generator_width")) own["width"] = params.number("generator_width");
  if (params.has("generator_embeddings")) own["embeddings"] = params.text("generator_embeddings");
  return {{.kind = "generator", .params = std::move(own)}};
}

Objective with_learned_generator(const Params& params, const TokenChannel& channel) {
  const double weight =
      params.has("detection_weight") ? params.number("detection_weight") : kDetectionWeight;
  Needs needs{.attention = Attention::bidirectional,
              .alignment = Alignment::in_place,
              .heads = {{.kind = "detection", .coefficient = weight}}};
  for (HeadNeed& head : further_heads(params)) needs.heads.push_back(std::move(head));
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
  const TokenChannel channel = channel_of(params, context);
  if (is_learned(params)) return with_learned_generator(params, channel);
  for (const char* const name : {"generator_width", "generator_embeddings", "detection_weight"})
    if (params.has(name))
      reject(
          "replaced_token_detection: {} is a setting of a learned generator, and this one is "
          "uniform; set generator to learned, or leave {} out",
          name, name);
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

OptimumKind optimum_kind(const Params& params) {
  return is_learned(params) ? OptimumKind::none : OptimumKind::exact;
}

std::vector<Param> params() {
  return {
      number("rate", 0.15, 0.001, 0.999,
             "fraction of the tokens that are replaced; special ones never are"),
      optional(choice("generator", nullptr, {"uniform", "learned"},
                      "what draws the replacements. uniform: every ordinary token is as likely; "
                      "learned: a small masked language model that is trained with the backbone; "
                      "absent: uniform"),
               "uniform"),
      optional(
          number("generator_width", nullptr, 0.001, 1,
                 "learned: width of the generator, as a fraction of the backbone's; that many of "
                 "the attention heads, a whole number; absent: 0.25"),
          kWidth),
      optional(
          choice(
              "generator_embeddings", nullptr, {"tied", "own"},
              "learned: whether the generator shares the backbone's token embeddings (tied) or has "
              "its own; absent: tied"),
          "tied"),
      optional(
          number("detection_weight", nullptr, 0, 1e6,
                 "learned: weight of the detection loss beside the generator's (ELECTRA's lambda); "
                 "absent: 50"),
          kDetectionWeight)};
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
          .further_heads = further_heads,
          .predicts_tokens = false};
}

}  // namespace ablate::objectives
