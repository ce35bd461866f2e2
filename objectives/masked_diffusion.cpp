// Masked diffusion: hide each token with a probability that is itself drawn anew for every text,
// predict the hidden ones from all that is shown, and weigh what each costs so that the whole is a
// bound on the cost of the text.
//
// A text is hidden to the extent of its time t in (0, 1]: at t = 1 nearly all of it, as text that
// is still to be written. Each hidden token weighs 1 / t, each other one counts for nothing, and
// the loss is a mean over all of them: at every t its expectation is of the same size. Averaged
// over all t the exact predictor's cost of a text is -log of its probability, so the loss of a
// model is a bound on what it takes to write the text token by token, in any order.
//
// The texts of a step share out the times: text i of n draws from the n-th part of (0, 1] that is
// its own, so that no step is made of nearly empty or nearly full texts alone.
//
// Source: Sahoo et al. 2024, "Simple and Effective Masked Diffusion Language Models",
// arXiv:2406.07524, sections 3.4 and 3.5, log-linear schedule, without conditioning on t.
// There t = epsilon + (1 - epsilon) u, the probability of hiding is (1 - epsilon) t, and the weight
// 1 / t. The ends that this leaves out of (0, 1] make the bound smaller by about epsilon times the
// cost of a token: .002 nats at the epsilon of the paper.

#include "objectives/common/masks/masking.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   _ b _ d _ _     with probability t, here .6\n"
    "targets  a . c . e f     each weighs 1 / t, in a mean over all six\n";

constexpr std::string_view kDiffers =
    "special tokens are never hidden, so the bound is on the text given where documents start and "
    "end\n"
    "a prediction may give the mask token some probability; a model soon learns not to\n";

/// The time of a text: uniform over the step's part (row, row + 1) / rows of [epsilon, 1).
double time_of(const Text& text, double epsilon, Rng rng) {
  const double u = (static_cast<double>(text.row) + rng.uniform()) / static_cast<double>(text.rows);
  return epsilon + (1 - epsilon) * u;
}

std::vector<Example> transform(double epsilon, const Text& text, Rng rng) {
  const double time = time_of(text, epsilon, rng.fork(0));
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  example.targets = example.inputs;
  example.weights.assign(text.tokens.size(), 0.0f);
  example.loss_denominator = static_cast<float>(hideable(text));
  example.facts = {{"time", time}};
  const Positions hidden = hide_each(text, (1 - epsilon) * time, rng.fork(1));
  example.hidden.reserve(hidden.size());
  for (const std::int32_t position : hidden) {
    const auto at = static_cast<std::size_t>(position);
    example.inputs[at] = mask_token;
    example.weights[at] = static_cast<float>(1 / time);
    example.hidden.push_back({position, HiddenAs::mask});
  }
  return examples;
}

/// What is hidden is shown as a mask, always. Which tokens are says nothing of them, whatever the
/// rate: only whether it is 0 or not matters.
TokenChannel channel_of(const Context& context) {
  return {.rate = 0.5, .mask = 1, .random = 0, .ordinary = context.vocabulary.ordinary};
}

/// Over all tokens, as the loss of a batch is.
Loss over_all(const Loss& hidden, const Example& example) {
  return {hidden.total, example.loss_denominator.value()};
}

Objective build(const Params& params, const Context& context) {
  const double epsilon = params.number("epsilon");
  const TokenChannel channel = channel_of(context);
  return {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [epsilon](const Text& text, Rng rng) { return transform(epsilon, text, rng); },
      .optimum =
          [channel](const Chain& language, const Text& text, const Example& example) {
            return over_all(optimum_through(channel, language, text, example), example);
          },
      .context_free =
          [channel](std::span<const double> unigram, const Text&, const Example& example) {
            return over_all(context_free_through(channel, unigram, example), example);
          },
      .intended = {{"corruption", (1 - epsilon * epsilon) / 2, 0.02},
                   {"prediction", (1 - epsilon * epsilon) / 2, 0.02},
                   {"time", (1 + epsilon) / 2, 0.02}}};
}

/// Of an example as it is drawn; of a text only the mean over all of its examples is -log p(text).
OptimumKind optimum_kind(const Params&) { return OptimumKind::exact; }

}  // namespace

ObjectiveSpec masked_diffusion_objective() {
  return {
      .name = "masked_diffusion",
      .summary = "hide a random share of the tokens, weigh each by 1 / share: a bound on -log p",
      .picture = kPicture,
      .source = "Sahoo et al. 2024, arXiv:2406.07524, sections 3.4 and 3.5",
      .differs = kDiffers,
      .params = {number("epsilon", 0.001, 0.00001, 0.1,
                        "least time of a text; 1 / epsilon is the most that a token weighs")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = Generation::unmasking,
      .text_likelihood = true};  // a bound of it
}

}  // namespace ablate::objectives
