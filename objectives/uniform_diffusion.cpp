// Uniform diffusion: noise replaces tokens by random ones, and the model learns at every place how much
// more probable each token is than the one that stands there. Nothing marks what was replaced, so that a
// model of this kind can change any token of a text, and more than once.
//
// At the time t in (0, 1) of a text a token is kept with probability 1 - t, and otherwise replaced by one
// of all ordinary tokens. The score of token y at a place that shows o is to be P(y | all other places) /
// P(o | all other places), of noised texts. Its score entropy, weighted by the rate 1 / (1 - t) of the
// noise, bounds -log P(text) in the mean over times; where the scores are exact and the time is known,
// the two are equal.
//
// Times are shared out over the texts of a step, as in masked diffusion.
//
// Sources: Lou, Meng & Ermon 2024, "Discrete Diffusion Modeling by Estimating the Ratios of the Data
// Distribution", arXiv:2310.16834, sections 3.2 and 3.3 (uniform graph, log-linear schedule); Schiff et al.
// 2024, "Simple Guidance Mechanisms for Discrete Diffusion Models", arXiv:2412.10193, section 4 (scores by
// way of the clean token, which is the default).

#include <cmath>

#include "harness/contract/objective.h"
#include "harness/contract/params.h"
#include "objectives/common/masks/masking.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a x c d b f     each token replaced with probability t, here .4\n"
    "targets  a b c d e f     scores of all tokens against the one shown, weighed by 1 / (1 - t)\n";

constexpr std::string_view kDiffers =
    "the time is not given to the model, which infers it from the text; both papers give it\n"
    "special tokens are never replaced, so the bound is on the text given where documents start "
    "and "
    "end\n"
    "times are shared out over the texts of a step, from epsilon to 1 - epsilon; SEDD pairs this "
    "graph with "
    "a geometric schedule, which changes the spread of the loss and not its mean\n"
    "the loss is a mean over all tokens, where SEDD adds up those of a text\n";

TokenChannel channel_at(double time, Token ordinary) {
  return {.rate = time, .mask = 0, .random = 1, .ordinary = ordinary};
}

std::vector<Example> transform(double epsilon, Token ordinary, const Text& text, Rng rng) {
  const double u =
      (static_cast<double>(text.row) + rng.fork(0).uniform()) / static_cast<double>(text.rows);
  const double time = epsilon + (1 - 2 * epsilon) * u;
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  example.targets = example.inputs;
  example.weights.assign(text.tokens.size(), 0.0f);
  example.facts = {{"time", time}};
  const Positions all = hideable_positions(text);
  example.loss_denominator = static_cast<float>(all.size());
  for (const std::int32_t position : all)
    example.weights[static_cast<std::size_t>(position)] = static_cast<float>(1 / (1 - time));
  Rng noise = rng.fork(2);
  for (const std::int32_t position : hide_each(text, time, rng.fork(1))) {
    example.inputs[static_cast<std::size_t>(position)] =
        special_count + static_cast<Token>(noise.below(ordinary));
    example.hidden.push_back({position, HiddenAs::random});
  }
  return examples;
}

/// The score entropy of one place, in nats, of the scores that `clean` implies: the probabilities of the
/// ordinary tokens before the noise, up to a factor, according to all other places.
double entropy_of(std::span<const double> clean, double kept, Token shown, Token target) {
  const double count = static_cast<double>(clean.size()), other = (1 - kept) / count;
  double total = 0;
  for (const double probability : clean) total += probability;
  const auto noised = [&](Token token) {
    return kept * clean[static_cast<std::size_t>(token - special_count)] / total + other;
  };
  const double own = noised(shown);
  double entropy = 0;
  for (Token y = special_count; y < special_count + std::ssize(clean); ++y) {
    if (y == shown) continue;
    const double ratio =
        (other + (y == target ? kept : 0)) / (other + (shown == target ? kept : 0));
    const double above = std::log(noised(y) / own / ratio);
    entropy += ratio * (std::expm1(above) - above);
  }
  return entropy / count;
}

/// The probability that a token was kept, of a target of this weight.
double kept_at(float weight) { return 1 / static_cast<double>(weight); }

/// The best predictor that knows the time, and all places.
Loss optimum(Token ordinary, const Chain& language, const Text& text, const Example& example) {
  const auto states = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  const auto tokens = static_cast<std::size_t>(ordinary);
  Loss loss{0, example.loss_denominator.value()};
  for (const Segment& segment : segments(text.tokens)) {
    const auto inputs = std::span(example.inputs).subspan(segment.first, segment.count);
    const auto weights = std::span(example.weights).subspan(segment.first, segment.count);
    double kept = 1;
    for (const float weight : weights)
      if (weight > 0) kept = kept_at(weight);
    const std::vector<double> u =
        leave_one_out_smoothing(language, std::ssize(inputs),
                                evidence_through(channel_at(1 - kept, ordinary), language, inputs),
                                segment.starts_document);
    for (std::size_t t = 0; t < segment.count; ++t) {
      if (!(weights[t] > 0)) continue;
      std::vector<double> clean(tokens);
      for (std::size_t z = 0; z < size; ++z) {
        if (z % states == states - 1) continue;  // it ends the document
        for (std::size_t v = 0; v < tokens; ++v)
          clean[v] += u[t * size + z] * language.emission[z * tokens + v];
      }
      loss.total += static_cast<double>(weights[t]) *
                    entropy_of(clean, kept, inputs[t], text.tokens[segment.first + t]);
    }
  }
  return loss;
}

/// `unigram` ends with P(end token), which is never replaced.
Loss context_free(std::span<const double> unigram, const Example& example) {
  const auto words = unigram.first(unigram.size() - 1);
  const auto knows = [&](Token token) {
    return token >= special_count && token - special_count < std::ssize(words);
  };
  Loss loss{0, example.loss_denominator.value()};
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const float weight = example.weights[i];
    if (weight > 0 && knows(example.inputs[i]) && knows(example.targets[i]))
      loss.total += static_cast<double>(weight) *
                    entropy_of(words, kept_at(weight), example.inputs[i], example.targets[i]);
  }
  return loss;
}

Objective build(const Params& params, const Context& context) {
  const double epsilon = params.number("epsilon");
  const Token ordinary = context.vocabulary.ordinary;
  if (ordinary < 2)
    reject("uniform_diffusion: noise draws from {} tokens of text; it needs at least 2", ordinary);
  return {
      .needs = {.attention = Attention::bidirectional,
                .alignment = Alignment::in_place,
                .heads = {{.kind = "uniform_score",
                           .params = {{"scores", params.text("scores")}}}}},
      .transform = [=](const Text& text,
                       Rng rng) { return transform(epsilon, ordinary, text, rng); },
      .optimum = [=](const Chain& language, const Text& text,
                     const Example& example) { return optimum(ordinary, language, text, example); },
      .context_free = [](std::span<const double> unigram, const Text&,
                         const Example& example) { return context_free(unigram, example); },
      .intended = {{"corruption", 0.5, 0.02}, {"time", 0.5, 0.02}}};
}

/// The exact predictor knows the time, which a model can only infer.
OptimumKind optimum_kind(const Params&) { return OptimumKind::lower; }

}  // namespace

ObjectiveSpec uniform_diffusion_objective() {
  return {
      .name = "uniform_diffusion",
      .summary =
          "replace a random fraction of the tokens by random ones, and learn at every place how "
          "much more probable each token is: a bound on -log p",
      .picture = kPicture,
      .source =
          "Lou et al. 2024, arXiv:2310.16834, sections 3.2 and 3.3 (uniform graph); Schiff et "
          "al. 2024, arXiv:2412.10193, section 4",
      .differs = kDiffers,
      .params = {number("epsilon", 0.001, 0.00001, 0.1,
                        "minimum time of a text, and minimum distance from 1"),
                 choice("scores", "denoised", {"denoised", "free"},
                        "how the ratios are made. denoised: from a predicted distribution of the "
                        "clean token; free: one for each token, learned by itself (SEDD)")},
      .build = build,
      .optimum_kind = optimum_kind,
      .predicts_in_place = [](const Params&) { return true; },
      .text_likelihood = [](const Params&) { return true; }};
}

}  // namespace ablate::objectives
