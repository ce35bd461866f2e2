// Smoothing through the channel. In the comments x is a true token, o the shown token, z a state.

#include "objectives/common/rearrange/token_channel.h"

#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

/// P(o | x) for an ordinary x, as a function of o: `any`, plus `same` if o = x.
struct Likelihood {
  double any = 0;
  double same = 0;
};

/// At a position that is known to be hidden.
Likelihood if_hidden(const TokenChannel& channel, Token o) {
  if (o == mask_token) return {channel.mask, 0};
  return {channel.random / channel.ordinary, channel.keep()};
}

/// At a position that may be hidden or not.
Likelihood if_unknown(const TokenChannel& channel, Token o) {
  const Likelihood hidden = if_hidden(channel, o);
  if (o == mask_token) return {channel.rate * hidden.any, 0};
  return {channel.rate * hidden.any, 1 - channel.rate + channel.rate * hidden.same};
}

}  // namespace

Evidence evidence_through(const TokenChannel& channel, const Chain& language,
                          std::span<const Token> inputs) {
  const auto n = static_cast<Size>(language.states);
  const auto size = static_cast<Size>(language.composite_states());
  Evidence evidence = emission_likelihood(language, inputs);
  for (Size t = 0; t < inputs.size(); ++t) {
    if (inputs[t] == end_token) continue;
    const Likelihood likelihood = if_unknown(channel, inputs[t]);
    double* here = evidence.data() + t * size;
    for (Size z = 0; z < size; ++z) here[z] = likelihood.any + likelihood.same * here[z];
    for (Size z = n - 1; z < size; z += n) here[z] = 0;
  }
  return evidence;
}

HiddenDistribution hidden_distribution(const TokenChannel& channel, const Chain& language,
                                       const double* u, Token o, Token x) {
  const auto n = static_cast<Size>(language.states);
  const auto size = static_cast<Size>(language.composite_states());
  const auto emits = [&](Size z, Token token) {
    return language.emission[z * static_cast<Size>(language.ordinary) +
                             static_cast<Size>(token - special_count)];
  };
  double of_words = 0, of_x = 0, of_o = 0;
  for (Size z = 0; z < size; ++z) {
    if (z % n == n - 1) continue;
    of_words += u[z];
    of_x += u[z] * emits(z, x);
    if (o != mask_token) of_o += u[z] * emits(z, o);
  }
  const Likelihood likelihood = if_hidden(channel, o);
  return {likelihood.any * of_words + likelihood.same * of_o,
          (likelihood.any + (o == x ? likelihood.same : 0)) * of_x};
}

Loss optimum_through(const TokenChannel& channel, const Chain& language, const Text& text,
                     const Example& example) {
  const auto size = static_cast<Size>(language.composite_states());
  Loss loss;
  for (const Segment& segment : segments(text.tokens)) {
    const auto inputs = std::span(example.inputs).subspan(segment.first, segment.count);
    const std::vector<double> u = leave_one_out_smoothing(
        language, static_cast<std::int64_t>(segment.count),
        evidence_through(channel, language, inputs), segment.starts_document);
    for (Size t = 0; t < segment.count; ++t) {
      const double weight = example.weights[segment.first + t];
      if (!(weight > 0)) continue;
      const Token x = example.targets[segment.first + t];
      const HiddenDistribution distribution =
          hidden_distribution(channel, language, u.data() + t * size, inputs[t], x);
      loss += {weight * negative_log(distribution.and_true, distribution.shown), weight};
    }
  }
  return loss;
}

Loss context_free_through(const TokenChannel& channel, std::span<const double> unigram,
                          const Example& example) {
  const auto probability = [&](Token token) {
    return unigram[static_cast<Size>(token - special_count)];
  };
  const auto knows = [&](Token token) {
    return token >= special_count && token - special_count < std::ssize(unigram);
  };
  const double words = 1 - unigram.back();
  Loss loss;
  for (Size i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    const Token x = example.targets[i], o = example.inputs[i];
    if (!(weight > 0) || !knows(x)) continue;
    const Likelihood likelihood = if_hidden(channel, o);
    const double total =
        likelihood.any * words + (o == mask_token ? 0 : likelihood.same * probability(o));
    const double part = (likelihood.any + (o == x ? likelihood.same : 0)) * probability(x);
    loss += {weight * negative_log(part, total), weight};
  }
  return loss;
}

}  // namespace ablate::objectives
