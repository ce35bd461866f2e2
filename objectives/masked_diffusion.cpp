// Masked diffusion: hide each token with a probability that is drawn for every text, predict the
// hidden tokens from the visible ones, and weight their losses so that the sum bounds the negative
// log-likelihood of the text.
//
// The time t in (0, 1] of a text is the probability of hiding a token; at t = 1 nearly all tokens
// are hidden. Each hidden token has weight 1 / t, visible ones have weight 0, and the loss is a
// mean over all tokens that are not special, so its expectation has the same size at every t.
// Averaged over t, the exact predictor's total is -log P(text), and a model's is an upper bound.
//
// Times are stratified over the texts of a step: text i of n draws its time from the i-th of n
// equal parts of (0, 1], so that no step consists only of nearly empty or nearly full texts.
//
// With weights count each of the k hidden tokens of a text of n weighs (n + 1) / k: masking at a uniform rate (MLM-U,
// Kitouni et al. 2024, arXiv:2406.05183), divided by each text's own count, not by that of a batch. Times are
// then uniform over all of (0, 1), so that k is uniform over 0, 1 ... n, and the expectation is -log P(text) without any
// 1 / t; the n + 1 makes up for texts of which nothing is hidden.
//
// With form llada the time itself is the probability of hiding (Nie et al. 2025, arXiv:2502.09992, equation
// 3 and appendix A). With loss score_entropy the model learns ratios of probabilities, which need not add
// up to 1 (Lou, Meng & Ermon 2024, arXiv:2310.16834, section 3.2). Held-out text is scored by its
// probabilities all the same; its score entropy is never less, and the same where they add up to 1.
//
// Source: Sahoo et al. 2024, "Simple and Effective Masked Diffusion Language Models",
// arXiv:2406.07524, sections 3.4 and 3.5, log-linear schedule, without conditioning on t.
// There t = epsilon + (1 - epsilon) u, the probability of hiding is (1 - epsilon) t, and the weight
// is 1 / t. Leaving out the ends of (0, 1] lowers the bound by about epsilon times the loss of a
// token: .002 nats at the paper's epsilon.

#include <algorithm>

#include "objectives/common/masks/masking.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   _ b _ d _ _     with probability t, here .6\n"
    "targets  a . c . e f     each weighs 1 / t, in a mean over all six; with weights count,\n"
    "                         7 / 4\n";

constexpr std::string_view kDiffers =
    "special tokens are never hidden, so the bound is on the text given where documents start and "
    "end\n"
    "predictions may assign probability to the mask token; a model soon learns not to\n"
    "weights count: texts count by their tokens, and one of which nothing is hidden counts, too; "
    "MLM-U means over texts, and has no mean of such a one\n"
    "form llada: times are stratified over the texts of a step; LLaDA draws them one by one\n"
    "loss score_entropy: SEDD's on the absorbing graph with the log-linear schedule; times are not "
    "given "
    "to the model, and the mean is over all tokens; SEDD adds up those of a text\n";

constexpr double kEpsilon = 0.001;  // minimum time of a text, by default

struct DiffusionSettings {
  double epsilon = kEpsilon;
  bool llada = false;  // a token is hidden with the probability of the time itself
  bool count = false;  // weights are by the number of hidden tokens, and times have no minimum

  double earliest() const { return count ? 0 : epsilon; }
  double rate(double time) const { return llada || count ? time : (1 - epsilon) * time; }
};

DiffusionSettings settings_of(const Params& params) {
  return {params.number("epsilon"), params.has("form") && params.text("form") == "llada",
          params.has("weights") && params.text("weights") == "count"};
}

/// The time of a text: uniform over the step's part (row, row + 1) / rows of [epsilon, 1).
double time_of(const Text& text, double epsilon, Rng rng) {
  const double u = (static_cast<double>(text.row) + rng.uniform()) / static_cast<double>(text.rows);
  return epsilon + (1 - epsilon) * u;
}

std::vector<Example> transform(const DiffusionSettings& settings, const Text& text, Rng rng) {
  const double time = time_of(text, settings.earliest(), rng.fork(0));
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  example.targets = example.inputs;
  example.weights.assign(text.tokens.size(), 0.0f);
  example.loss_denominator = static_cast<float>(hideable(text));
  example.facts = {{"time", time}};
  const Positions hidden = hide_each(text, settings.rate(time), rng.fork(1));
  const double weight = settings.count
                            ? static_cast<double>(hideable(text) + 1) /
                                  static_cast<double>(std::max<std::size_t>(1, hidden.size()))
                            : 1 / time;
  example.hidden.reserve(hidden.size());
  for (const std::int32_t position : hidden) {
    const auto at = static_cast<std::size_t>(position);
    example.inputs[at] = mask_token;
    example.weights[at] = static_cast<float>(weight);
    example.hidden.push_back({position, HiddenAs::mask});
  }
  return examples;
}

/// Hidden tokens are always shown as masks, so the positions of masks say nothing about the tokens.
/// Any rate above 0 gives the same optimum.
TokenChannel channel_of(const Context& context) {
  return {.rate = 0.5, .mask = 1, .random = 0, .ordinary = context.vocabulary.ordinary};
}

/// The loss with the example's denominator (all tokens that are not special), as in the loss of a
/// batch.
Loss over_all(const Loss& hidden, const Example& example) {
  return {hidden.total, example.loss_denominator.value()};
}

Objective build(const Params& params, const Context& context) {
  const DiffusionSettings settings = settings_of(params);
  const TokenChannel channel = channel_of(context);
  const double epsilon = settings.earliest();
  if (settings.count && params.has("form"))
    reject(
        "form says how times hide tokens, and with weights \"count\" they do as in llada; leave "
        "form out");
  if (settings.count && params.number("epsilon") != kEpsilon)
    reject(
        "epsilon is the minimum time of a text, and with weights \"count\" there is none; leave "
        "epsilon out");
  if (settings.count && params.has("loss"))
    reject("weights \"count\" weigh cross-entropies; leave loss out, or weights");
  const double hidden =
      settings.llada || settings.count ? (1 + epsilon) / 2 : (1 - epsilon * epsilon) / 2;
  Objective objective = {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum =
          [channel](const Chain& language, const Text& text, const Example& example) {
            return over_all(optimum_through(channel, language, text, example), example);
          },
      .context_free =
          [channel](std::span<const double> unigram, const Text&, const Example& example) {
            return over_all(context_free_through(channel, unigram, example), example);
          },
      .intended = {{"corruption", hidden, 0.02},
                   {"prediction", hidden, 0.02},
                   {"time", (1 + epsilon) / 2, 0.02}},
      .cloze = unmasked_left_to_right,
      .cloze_hidden = partly_masked};
  if (params.has("loss") && params.text("loss") == "score_entropy")
    objective.needs.heads = {{.kind = "score"}};
  return objective;
}

ClozeFormat cloze_format(const Params&) { return ClozeFormat::told_length; }

/// Exact for an example as drawn. -log P(text) is the mean over all examples of a text.
OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec masked_diffusion_objective() {
  return {.name = "masked_diffusion",
          .summary =
              "hide a random fraction of the tokens, weight each by 1 / fraction: a bound on "
              "-log p",
          .picture = kPicture,
          .source = "Sahoo et al. 2024, arXiv:2406.07524, sections 3.4 and 3.5",
          .differs = kDiffers,
          .params =
              {number("epsilon", kEpsilon, 0.00001, 0.1,
                      "minimum time of a text; 1 / epsilon is the maximum weight of a token"),
               optional(choice("form", nullptr, {"mdlm", "llada"},
                               "mdlm: a token is hidden with probability (1 - epsilon) time; "
                               "llada: with probability time; absent: mdlm"),
                        "mdlm"),
               optional(choice("weights", nullptr, {"time", "count"},
                               "time: a hidden token weighs 1 / time; count: n + 1 over the number "
                               "of hidden tokens of its text, and times are uniform over (0, 1): "
                               "MLM-U; absent: time"),
                        "time"),
               optional(choice("loss", nullptr, {"cross_entropy", "score_entropy"},
                               "what training minimises. cross_entropy: the cross-entropy of the "
                               "hidden tokens; score_entropy: the score entropy of ratios of "
                               "probabilities, which need not add up to 1; absent: cross_entropy"),
                        "cross_entropy")},
          .build = build,
          .optimum_kind = optimum_kind,
          .generation = [](const Params&) { return Generation::unmasking; },
          .predicts_in_place = [](const Params&) { return true; },
          .cloze_format = cloze_format,
          .text_likelihood = [](const Params&) { return true; }};  // an upper bound on -log P(text)
}

}  // namespace ablate::objectives
