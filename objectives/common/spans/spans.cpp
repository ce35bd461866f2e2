// Counts, places and splices spans.

#include "objectives/common/spans/spans.h"

#include <algorithm>
#include <stdexcept>

#include "harness/base/error.h"
#include "objectives/common/joined.h"
#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;

/// The maximum counts in texts of up to this length.
Noise maximum_noise(const SpanSettings& settings, std::int64_t text_length) {
  const Noise noise = noise_of(text_length, settings.density, settings.mean);
  return {noise.tokens, std::max(noise.spans, noise.tokens / settings.longest + 1)};
}

/// Rotates the spans by `by` positions. A span that crosses the end of the text becomes two.
std::vector<Span> rolled(std::vector<Span> spans, std::int64_t by, std::int64_t tokens) {
  for (Span& span : spans) span.first = (span.first + by) % tokens;
  std::sort(spans.begin(), spans.end(), [](Span a, Span b) { return a.first < b.first; });
  Span& last = spans.back();
  const std::int64_t over = last.first + last.count - tokens;
  if (over <= 0) return spans;
  last.count -= over;
  spans.insert(spans.begin(), Span{0, over});
  return spans;
}

}  // namespace

Noise noise_of(std::int64_t tokens, double density, double mean) {
  if (tokens < 2) return {};
  const float product = static_cast<float>(tokens) * static_cast<float>(density);
  const std::int64_t hidden = std::clamp<std::int64_t>(rounded(product), 1, tokens - 1);
  const float ratio = static_cast<float>(hidden) / static_cast<float>(mean);
  return {hidden, std::clamp<std::int64_t>(rounded(ratio), 1, std::min(hidden, tokens - hidden))};
}

FittingLengths fitting_lengths(std::int64_t inputs, double density, double mean) {
  const auto spans_of = [&](std::int64_t hidden) {
    return rounded(static_cast<double>(hidden) / mean);
  };
  const auto hidden_of = [&](std::int64_t tokens) {
    return rounded(static_cast<double>(tokens) * density);
  };
  const auto inputs_of = [&](std::int64_t tokens) {
    return tokens - hidden_of(tokens) + spans_of(hidden_of(tokens)) + 1;
  };
  std::int64_t tokens = inputs - 1;
  while (inputs_of(tokens + 1) <= inputs) ++tokens;
  FittingLengths lengths{tokens, hidden_of(tokens) + spans_of(hidden_of(tokens)) + 1};
  // At one half the targets may come out longer than the inputs: the reference makes them equal.
  if (density == 0.5 && lengths.targets > inputs) --lengths.tokens, --lengths.targets;
  return lengths;
}

SpanNoise::SpanNoise(std::string_view name, const SpanSettings& settings, std::int64_t text_length)
    : settings_(settings),
      span_lengths_(settings.distribution, settings.mean, settings.longest,
                    maximum_noise(settings, text_length)) {
  if (settings.distribution == LengthDistribution::geometric &&
      settings.mean > static_cast<double>(settings.longest))
    reject(
        "{}: mean_span_length = {:g} is more than longest_span = {}; shorten the mean, or allow "
        "longer spans",
        name, settings.mean, settings.longest);
  const Noise noise = noise_of(text_length, settings.density, settings.mean);
  const std::int64_t kept = text_length - noise.tokens;
  const std::int64_t spans = rounded(static_cast<double>(noise.tokens) / settings.mean);
  if (spans > kept)
    reject(
        "{}: noise_density = {:g} and mean_span_length = {:g} ask for {} spans in a text of {} "
        "tokens, but only {} tokens are kept and each span needs one before it; hide less, or "
        "longer spans",
        name, settings.density, settings.mean, spans, text_length, kept);
  if (counts(text_length).tokens != noise.tokens)
    reject(
        "{}: spans of {:g} tokens on average cannot hide {} of a text of {} and keep {} between "
        "them; hide less, or longer spans",
        name, settings.mean, noise.tokens, text_length, kept);
}

Noise SpanNoise::counts(std::int64_t tokens) const {
  Noise noise = noise_of(tokens, settings_.density, settings_.mean);
  if (noise.tokens == 0 || span_lengths_.possible(noise)) return noise;
  for (; noise.tokens > 0; --noise.tokens) {
    const std::int64_t maximum = std::min(noise.tokens, tokens - noise.tokens);
    for (noise.spans = 1; noise.spans <= maximum; ++noise.spans)
      if (span_lengths_.possible(noise)) return noise;
  }
  throw std::logic_error("spans: one hidden token in one span must be possible");
}

std::vector<Span> SpanNoise::draw(std::int64_t tokens, Rng rng) const {
  const Noise noise = counts(tokens);
  if (noise.tokens == 0) return {};
  const std::vector<std::int64_t> hidden = span_lengths_.draw(noise, rng);
  const std::vector<std::int64_t> kept = cut(tokens - noise.tokens, noise.spans, rng);
  std::vector<Span> spans(hidden.size());
  std::int64_t at = 0;
  for (Size i = 0; i < spans.size(); ++i) {
    spans[i] = {at + kept[i], hidden[i]};
    at += kept[i] + hidden[i];
  }
  return settings_.roll ? rolled(std::move(spans), rng.below(tokens), tokens) : spans;
}

std::int64_t SpanNoise::sentinels(std::int64_t tokens) const {
  const std::int64_t spans = counts(tokens).spans;
  return spans + (settings_.roll && spans > 0 ? 1 : 0);
}

/// A part has at most a begin token and an end token in addition to its ordinary tokens.
Lengths SpanNoise::lengths(std::int64_t tokens) const {
  Lengths maximum;
  for (std::int64_t own = std::max<std::int64_t>(0, tokens - 2); own <= tokens; ++own) {
    const std::int64_t hidden = counts(own).tokens, marks = sentinels(own) + 1;
    maximum = {std::max(maximum.inputs, tokens - hidden + marks),
               std::max(maximum.targets, hidden + marks),
               std::max(maximum.both, tokens + 2 * marks)};
  }
  return maximum;
}

Example corrupted(const Text& text, const Part& part, std::span<const Span> spans,
                  const Vocabulary& vocabulary) {
  Size hidden = 0;
  for (const Span& span : spans) hidden += static_cast<Size>(span.count);
  Example example;
  example.inputs.reserve(part.count - hidden + spans.size() + 1);
  example.targets.reserve(hidden + spans.size() + 1);
  example.hidden.reserve(hidden);
  const Token* const tokens = text.tokens.data();
  Size next = part.first;
  for (Size i = 0; i < spans.size(); ++i) {
    const Token sentinel = vocabulary.sentinel(static_cast<std::int64_t>(i));
    const Size from = part.own_first + static_cast<Size>(spans[i].first);
    const Size until = from + static_cast<Size>(spans[i].count);
    example.inputs.insert(example.inputs.end(), tokens + next, tokens + from);
    example.inputs.push_back(sentinel);
    example.targets.push_back(sentinel);
    example.targets.insert(example.targets.end(), tokens + from, tokens + until);
    for (Size at = from; at < until; ++at)
      example.hidden.push_back({static_cast<std::int32_t>(at), HiddenAs::sentinel});
    next = until;
  }
  example.inputs.insert(example.inputs.end(), tokens + next, tokens + part.first + part.count);
  example.inputs.push_back(end_token);
  example.targets.push_back(end_token);
  example.weights.assign(example.targets.size(), 1.0f);
  return example;
}

std::vector<Example> span_cloze(const Cloze& cloze, const Vocabulary& vocabulary) {
  const std::vector<Token> tokens = joined({cloze.left, cloze.target, cloze.right});
  const Size after = cloze.left.size() + cloze.target.size();
  std::vector<Span> hidden = {{std::ssize(cloze.left), std::ssize(cloze.target)}};
  for (Size at = after; at < tokens.size(); ++at) {
    if (tokens[at] != mask_token) continue;
    if (at == after || tokens[at - 1] != mask_token)
      hidden.push_back({static_cast<std::int64_t>(at), 0});
    ++hidden.back().count;
  }
  Example example = corrupted({.tokens = tokens}, {.count = tokens.size()}, hidden, vocabulary);
  if (hidden.size() > 1) {  // what stands in further blanks is not known
    example.targets.resize(1 + cloze.target.size());
    example.targets.push_back(vocabulary.sentinel(1));
    example.weights.resize(example.targets.size());
    example.hidden.resize(cloze.target.size());
  }
  example.weights.front() = 0;  // the sentinel
  example.weights.back() = 0;   // what ends the span: the end token, or the next sentinel
  return {std::move(example)};
}

std::vector<Example> span_stop(const Cloze& cloze, const Vocabulary& vocabulary) {
  std::vector<Example> examples = span_cloze(cloze, vocabulary);
  std::vector<float>& weights = examples.front().weights;
  std::fill(weights.begin(), weights.end(), 0.0f);
  weights.back() = 1;
  return examples;
}

}  // namespace ablate::objectives
