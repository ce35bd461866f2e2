// Masked language modelling: hide some tokens in place, predict those from all that is shown.
//
// Every token that is not special is hidden with the same probability. Of the hidden ones most are
// shown as the mask token, some as a random token (perhaps by chance the right one), the rest as
// they are: the model cannot tell which of the tokens shown are to be trusted.
//
// Every position draws once, hidden or not, and what a hidden one is shown as is keyed by its
// position: with the same random numbers a higher rate hides the same tokens in the same way, and
// more.
//
// Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", arXiv:1810.04805, section 3.1 and appendix A.1.
// Differs: random tokens come from ordinary ids alone, because a special id would give itself away.

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"
#include "objectives/token_channel.h"

namespace ablate {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a _ c x e f     b hidden by a mask, d by a random token, f kept but scored\n"
    "targets  . b . d . f\n";

struct Settings {
  TokenChannel channel;
  bool exact = false;
};

std::int64_t hideable(const Text& text) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) count += text.is_special(i) ? 0 : 1;
  return count;
}

/// How many of `tokens` an exact count hides: halves go to the even neighbour, at least one.
std::int64_t exact_count(std::int64_t tokens, double rate) {
  const auto count = static_cast<std::int64_t>(std::nearbyint(rate * static_cast<double>(tokens)));
  return std::min(tokens, std::max<std::int64_t>(1, count));
}

/// Shows position `at` as something else, or as it is.
Hidden hide(const TokenChannel& channel, std::size_t at, Rng rng, Example& example) {
  const auto position = static_cast<std::int32_t>(at);
  const double draw = rng.uniform();
  example.weights[at] = 1;
  if (draw < channel.mask) {
    example.inputs[at] = mask_token;
    return {position, HiddenAs::mask};
  }
  if (draw < channel.mask + channel.random) {
    example.inputs[at] = special_count + static_cast<Token>(rng.below(channel.ordinary));
    return {position, HiddenAs::random};
  }
  return {position, HiddenAs::keep};
}

void hide_each(const TokenChannel& channel, const Text& text, Rng rng, Example& example) {
  const Rng how = rng.fork(0);
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (rng.chance(channel.rate) && !text.is_special(i))
      example.hidden.push_back(hide(channel, i, how.fork(i), example));
}

/// Every set of the exact size is equally likely (selection sampling: Knuth, volume 2, 3.4.2 S).
void hide_exactly(const TokenChannel& channel, const Text& text, Rng rng, Example& example) {
  const Rng how = rng.fork(0);
  std::int64_t left = hideable(text);
  std::int64_t wanted = exact_count(left, channel.rate);
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (text.is_special(i)) continue;
    if (rng.uniform() * static_cast<double>(left--) >= static_cast<double>(wanted)) continue;
    example.hidden.push_back(hide(channel, i, how.fork(i), example));
    --wanted;
  }
}

std::vector<Example> transform(const Settings& settings, const Text& text, Rng rng) {
  const std::size_t size = text.tokens.size();
  std::vector<Example> examples(1);
  Example& example = examples.front();
  example.inputs.assign(text.tokens.begin(), text.tokens.end());
  example.targets.assign(text.tokens.begin(), text.tokens.end());
  example.weights.assign(size, 0.0f);
  example.hidden.reserve(std::min(
      size, static_cast<std::size_t>(settings.channel.rate * 1.5 * static_cast<double>(size)) + 8));
  (settings.exact ? hide_exactly : hide_each)(settings.channel, text, rng, example);
  return examples;
}

/// Exact where tokens are hidden independently. An exact count ties positions together, and what it
/// tells beside the rate is not used: then a good model may do better.
Loss optimum(const Settings& settings, const Chain& language, const Text& text,
             const Example& example) {
  TokenChannel channel = settings.channel;
  const std::int64_t tokens = settings.exact ? hideable(text) : 0;
  if (tokens > 0)
    channel.rate =
        static_cast<double>(exact_count(tokens, channel.rate)) / static_cast<double>(tokens);
  return optimum_through(channel, language, text, example);
}

Objective build(const Params& params, const Context& context) {
  const Settings settings{.channel = {.rate = params.number("rate"),
                                      .mask = params.number("mask_share"),
                                      .random = params.number("random_share"),
                                      .ordinary = context.vocabulary.ordinary},
                          .exact = params.text("count") == "exact"};
  if (settings.channel.mask + settings.channel.random > 1 + 1e-12)
    reject(
        "masked_lm: mask_share ", settings.channel.mask, " and random_share ",
        settings.channel.random,
        " sum to more than 1; together they are at most 1, what is left of it is kept; lower one");
  return {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum = [settings](
                     const Chain& language, const Text& text,
                     const Example& example) { return optimum(settings, language, text, example); },
      .context_free =
          [settings](std::span<const double> unigram, const Text&, const Example& example) {
            return context_free_through(settings.channel, unigram, example);
          }};
}

OptimumKind optimum_kind(const Params& params) {
  return params.text("count") == "exact" ? OptimumKind::upper : OptimumKind::exact;
}

}  // namespace

ObjectiveSpec masked_lm_objective() {
  return {
      .name = "masked_lm",
      .summary = "hide some tokens in place, predict those from all that is shown",
      .picture = kPicture,
      .source = "Devlin et al. 2019, arXiv:1810.04805, section 3.1",
      .params = {number("rate", 0.15, 0.001, 1,
                        "fraction of the tokens hidden; special ones never are"),
                 number("mask_share", 0.8, 0, 1,
                        "fraction of the hidden tokens that are shown as the mask token"),
                 number("random_share", 0.1, 0, 1,
                        "fraction of the hidden tokens that are shown as a random ordinary token; "
                        "the rest is shown as it is"),
                 choice(
                     "count", "bernoulli", {"bernoulli", "exact"},
                     "bernoulli: every token on its own, so the number hidden varies; exact: the "
                     "rate's share of each text, halves to even, at least one token")},
      .build = build,
      .optimum_kind = optimum_kind,
      .generation = Generation::unmasking,
      .yardsticks = {{"at_15", {{"rate", 0.15}}}}};
}

}  // namespace ablate
