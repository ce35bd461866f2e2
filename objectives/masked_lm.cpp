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
#include <limits>

#include "harness/base/error.h"
#include "harness/contract/objective.h"

namespace ablate {
namespace {

constexpr std::string_view kPicture =
    "text     a b c d e f\n"
    "inputs   a _ c x e f     b hidden by a mask, d by a random token, f kept but scored\n"
    "targets  . b . d . f\n";

struct Settings {
  double rate = 0;
  double mask = 0;
  double random = 0;
  bool exact = false;
  Token ordinary = 0;

  double keep() const { return std::max(0.0, 1.0 - mask - random); }
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
Hidden hide(const Settings& settings, std::size_t at, Rng rng, Example& example) {
  const auto position = static_cast<std::int32_t>(at);
  const double draw = rng.uniform();
  example.weights[at] = 1;
  if (draw < settings.mask) {
    example.inputs[at] = mask_token;
    return {position, HiddenAs::mask};
  }
  if (draw < settings.mask + settings.random) {
    example.inputs[at] = special_count + static_cast<Token>(rng.below(settings.ordinary));
    return {position, HiddenAs::random};
  }
  return {position, HiddenAs::keep};
}

void hide_each(const Settings& settings, const Text& text, Rng rng, Example& example) {
  const Rng how = rng.fork(0);
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (rng.chance(settings.rate) && !text.is_special(i))
      example.hidden.push_back(hide(settings, i, how.fork(i), example));
}

/// Every set of the exact size is equally likely (selection sampling: Knuth, volume 2, 3.4.2 S).
void hide_exactly(const Settings& settings, const Text& text, Rng rng, Example& example) {
  const Rng how = rng.fork(0);
  std::int64_t left = hideable(text);
  std::int64_t wanted = exact_count(left, settings.rate);
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (text.is_special(i)) continue;
    if (rng.uniform() * static_cast<double>(left--) >= static_cast<double>(wanted)) continue;
    example.hidden.push_back(hide(settings, i, how.fork(i), example));
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
      size, static_cast<std::size_t>(settings.rate * 1.5 * static_cast<double>(size)) + 8));
  (settings.exact ? hide_exactly : hide_each)(settings, text, rng, example);
  return examples;
}

double negative_log(double part, double whole) {
  return part > 0 ? -std::log(part / whole) : std::numeric_limits<double>::infinity();
}

/// P(shown | token) at a position that is known to be hidden: `same` is added where the two agree.
struct Channel {
  double any = 0;  // whatever the token is, if it is ordinary
  double same = 0;
};

Channel hidden_channel(const Settings& settings, Token shown_as) {
  if (shown_as == mask_token) return {settings.mask, 0};
  return {settings.random / settings.ordinary, settings.keep()};
}

/// The same at a position that may be hidden or not, with probability `rate`.
Channel open_channel(const Settings& settings, double rate, Token shown_as) {
  const Channel hidden = hidden_channel(settings, shown_as);
  if (shown_as == mask_token) return {rate * hidden.any, 0};
  return {rate * hidden.any, 1 - rate + rate * hidden.same};
}

/// What each shown token says about the state that emitted its true one. An end token is never
/// hidden, so where none is shown there is none.
Evidence through_channel(const Settings& settings, double rate, const Chain& language,
                         std::span<const Token> inputs) {
  const auto n = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  Evidence evidence = shown(language, inputs);
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    if (inputs[t] == end_token) continue;
    const Channel channel = open_channel(settings, rate, inputs[t]);
    double* here = evidence.data() + t * size;
    for (std::size_t z = 0; z < size; ++z)
      here[z] = z % n == n - 1 ? 0 : channel.any + channel.same * here[z];
  }
  return evidence;
}

/// The exact predictor of one hidden token: u(z), what all other positions say of its state, then
/// q(v) ~ P(shown | v, hidden) sum_z u(z) P(v | z).
double hidden_loss(const Settings& settings, const Chain& language, const double* u, Token shown_as,
                   Token target) {
  const auto n = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  const auto ordinary = static_cast<std::size_t>(language.ordinary);
  const auto emits = [&](Token token, std::size_t z) {
    return language.emission[z * ordinary + static_cast<std::size_t>(token - special_count)];
  };
  double emitting = 0, of_target = 0, of_shown = 0;
  for (std::size_t z = 0; z < size; ++z) {
    if (z % n == n - 1) continue;
    emitting += u[z];
    of_target += u[z] * emits(target, z);
    if (shown_as != mask_token) of_shown += u[z] * emits(shown_as, z);
  }
  const Channel channel = hidden_channel(settings, shown_as);
  const double likelihood = channel.any + (shown_as == target ? channel.same : 0);
  return negative_log(likelihood * of_target, channel.any * emitting + channel.same * of_shown);
}

/// Exact where tokens are hidden independently. An exact count ties positions together, and what it
/// tells beside the rate is not used: then a good model may do better.
Loss optimum(const Settings& settings, const Chain& language, const Text& text,
             const Example& example) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  const std::int64_t tokens = settings.exact ? hideable(text) : 0;
  const double rate = tokens > 0 ? static_cast<double>(exact_count(tokens, settings.rate)) /
                                       static_cast<double>(tokens)
                                 : settings.rate;
  Loss loss;
  for (const Segment& segment : segments(text.tokens)) {
    const auto inputs = std::span(example.inputs).subspan(segment.first, segment.count);
    const std::vector<double> u = smoothed_elsewhere(
        language, static_cast<std::int64_t>(segment.count),
        through_channel(settings, rate, language, inputs), segment.starts_document);
    for (std::size_t t = 0; t < segment.count; ++t) {
      const double weight = example.weights[segment.first + t];
      if (!(weight > 0)) continue;
      const Token target = example.targets[segment.first + t];
      loss += {weight * hidden_loss(settings, language, u.data() + t * size, inputs[t], target),
               weight};
    }
  }
  return loss;
}

/// A masked token by its share of the ordinary ones; where a token is shown, by how likely each
/// true token is to be shown as that one.
Loss context_free(const Settings& settings, std::span<const double> unigram, const Text&,
                  const Example& example) {
  const auto share = [&](Token token) {
    return unigram[static_cast<std::size_t>(token - special_count)];
  };
  const double ordinary = 1 - unigram.back();  // all but the end token, which is never hidden
  Loss loss;
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    if (!(weight > 0)) continue;
    const Token target = example.targets[i], input = example.inputs[i];
    const Channel channel = hidden_channel(settings, input);
    const double likelihood = channel.any + (input == target ? channel.same : 0);
    const double whole =
        channel.any * ordinary + (input == mask_token ? 0 : channel.same * share(input));
    loss += {weight * negative_log(likelihood * share(target), whole), weight};
  }
  return loss;
}

Objective build(const Params& params, const Context& context) {
  const Settings settings{.rate = params.number("rate"),
                          .mask = params.number("mask_share"),
                          .random = params.number("random_share"),
                          .exact = params.text("count") == "exact",
                          .ordinary = context.vocabulary.ordinary};
  if (settings.mask + settings.random > 1 + 1e-12)
    reject(
        "masked_lm: mask_share ", settings.mask, " and random_share ", settings.random,
        " sum to more than 1; together they are at most 1, what is left of it is kept; lower one");
  return {
      .needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
      .transform = [settings](const Text& text, Rng rng) { return transform(settings, text, rng); },
      .optimum = [settings](
                     const Chain& language, const Text& text,
                     const Example& example) { return optimum(settings, language, text, example); },
      .context_free =
          [settings](std::span<const double> unigram, const Text& text, const Example& example) {
            return context_free(settings, unigram, text, example);
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
