// Replaced token prediction: name the tokens of a text in which some were replaced by others.
//
// The two arms that ELECTRA is taken apart with. Tokens are replaced as in replaced token detection, by
// uniform draws or by samples of a small masked language model that is trained with the backbone; but
// what is learned is the token of the text, at the replaced places alone ("Replace MLM") or at all
// ("All-Tokens MLM"). So the three objectives differ in one thing at a time: masked LM shows masks, this
// one does not; and detection asks which places were replaced, not by what.
//
// With uniform draws and hidden places alone, this is masked LM that shows random tokens alone. Where all
// places are predicted, the exact predictor does not know which ones were replaced.
//
// Source: Clark et al. 2020, "ELECTRA: Pre-training Text Encoders as Discriminators Rather Than
// Generators", arXiv:2003.10555, section 3.4 and table 5.

#include <cmath>

#include "objectives/common/replacing/replacing.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a x c d y f     b and e were replaced\n"
    "targets  . b . . e .     predict: replaced\n"
    "targets  a b c d e f     predict: all\n"
    "\n"
    "with generator: learned\n"
    "masked   a _ c d _ f     is read by the generator, which predicts b and e\n"
    "inputs   a x c d e f     its samples\n";

constexpr std::string_view kDiffers =
    "ELECTRA's All-Tokens MLM predicts with a copy mechanism, a further layer that says how likely "
    "a token "
    "is to be what is shown; here the head of tokens must learn it\n"
    "replacements are drawn uniformly by default; ELECTRA's are those of generator: learned\n"
    "a learned generator reads a mask wherever it predicts; ELECTRA leaves 15 % of these tokens as "
    "they "
    "are\n"
    "each token is replaced independently; ELECTRA masks a fixed share of each text's tokens\n";

bool predicts_all(const Params& params) { return params.text("predict") == "all"; }

std::vector<Example> transform(const TokenChannel& channel, bool all, const Text& text, Rng rng) {
  std::vector<Example> examples = {with_replacements(channel, text, rng)};
  Example& example = examples.front();
  example.targets.assign(text.tokens.begin(), text.tokens.end());
  example.weights.assign(text.tokens.size(), 0.0f);
  for (const Hidden& hidden : example.hidden)
    example.weights[static_cast<std::size_t>(hidden.position)] = 1;
  for (std::size_t i = 0; all && i < text.tokens.size(); ++i)
    if (!text.is_special(i)) example.weights[i] = 1;
  if (channel.mask > 0) add_generator_labels(text, example);
  return examples;
}

/// The exact predictor does not know which places were replaced.
Loss optimum_of_all(const TokenChannel& channel, const Chain& language, const Text& text,
                    const Example& example) {
  const double drawn = channel.rate / channel.ordinary;  // as one certain token
  const std::vector<ShownPlace> places = shown_places(channel, language, text, example.inputs);
  Loss loss;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!(example.weights[i] > 0)) continue;
    const ShownPlace& place = places[i];
    const double as_it_was = place.as_shown * (1 - channel.rate),
                 own = place.of_text * drawn +
                       (example.inputs[i] == example.targets[i] ? as_it_was : 0.0);
    const auto weight = static_cast<double>(example.weights[i]);
    loss += {weight * std::log((place.any * drawn + as_it_was) / own), weight};
  }
  return loss;
}

/// What a predictor knows that sees the token's own place alone, and which one is shown there.
Loss context_free_of_all(const TokenChannel& channel, std::span<const double> unigram,
                         const Example& example) {
  const double drawn = channel.rate / channel.ordinary, words = 1 - unigram.back();
  const auto ordinary = [&](Token token) {
    return token >= special_count && token - special_count < channel.ordinary;
  };
  const auto frequency = [&](Token token) {
    return unigram[static_cast<std::size_t>(token - special_count)] / words;
  };
  Loss loss;
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const Token shown = example.inputs[i], target = example.targets[i];
    if (!(example.weights[i] > 0) || !ordinary(shown) || !ordinary(target)) continue;
    const double kept = frequency(shown) * (1 - channel.rate),
                 own = frequency(target) * drawn + (shown == target ? kept : 0.0);
    if (!(own > 0)) continue;  // does not occur in the corpus
    const auto weight = static_cast<double>(example.weights[i]);
    loss += {weight * std::log((drawn + kept) / own), weight};
  }
  return loss;
}

Objective build(const Params& params, const Context& context) {
  constexpr std::string_view kOfLearned[] = {"prediction_weight"};
  check_generator(params, "replaced_token_prediction", kOfLearned);
  const TokenChannel channel = replacing_channel(params, context);
  const bool all = predicts_all(params);
  Objective objective{
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [=](const Text& text, Rng rng) { return transform(channel, all, text, rng); },
      .intended = {{"corruption", channel.rate, 0.01}}};
  if (has_learned_generator(params)) {
    if (params.has("prediction_weight"))
      objective.needs.heads.front().coefficient = params.number("prediction_weight");
    for (HeadNeed& head : generator_heads(params)) objective.needs.heads.push_back(std::move(head));
    objective.label_optima = [channel](const Chain& language, const Text& text,
                                       const Example& example) {
      return generator_optimum(channel, language, text, example);
    };
    return objective;
  }
  objective.optimum = [=](const Chain& language, const Text& text, const Example& example) {
    return all ? optimum_of_all(channel, language, text, example)
               : optimum_through(channel, language, text, example);
  };
  objective.context_free = [=](std::span<const double> unigram, const Text&,
                               const Example& example) {
    return all ? context_free_of_all(channel, unigram, example)
               : context_free_through(channel, unigram, example);
  };
  return objective;
}

OptimumKind optimum_kind(const Params& params) {
  return has_learned_generator(params) ? OptimumKind::none : OptimumKind::exact;
}

std::vector<Param> params() {
  std::vector<Param> rows = replacing_params();
  rows.push_back(
      choice("predict", "replaced", {"replaced", "all"},
             "where the tokens of the text are predicted: at the replaced places, or at all"));
  rows.push_back(optional(number("prediction_weight", nullptr, 0, 1e6,
                                 "learned: weight of the backbone's loss beside the generator's; "
                                 "absent: 1"),
                          1.0));
  return rows;
}

}  // namespace

ObjectiveSpec replaced_token_prediction_objective() {
  return {.name = "replaced_token_prediction",
          .summary = "name the tokens of a text in which some were replaced by others",
          .picture = kPicture,
          .source = "Clark et al. 2020, arXiv:2003.10555, section 3.4",
          .differs = kDiffers,
          .params = params(),
          .build = build,
          .optimum_kind = optimum_kind,
          .predicts_in_place = [](const Params&) { return true; },
          .further_heads = generator_heads};
}

}  // namespace ablate::objectives
