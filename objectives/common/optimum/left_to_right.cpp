// Examples, optimum and floor of texts that are predicted from left to right.

#include "objectives/common/optimum/left_to_right.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "objectives/common/optimum/future_tables.h"
#include "objectives/common/optimum/hidden_optimum.h"

namespace ablate::objectives {

Example left_to_right(const Text& text) {
  Example example;
  example.targets.assign(text.tokens.begin(), text.tokens.end());
  example.weights.assign(text.tokens.size(), 1.0f);
  for (std::size_t i = 0; i < text.tokens.size(); ++i)
    if (text.tokens[i] == begin_token) example.weights[i] = 0;
  return example;
}

std::vector<Example> continuation(const Cloze& cloze) {
  Example example;
  example.targets.assign(cloze.left.begin(), cloze.left.end());
  example.weights.assign(cloze.left.size(), 0.0f);
  example.targets.insert(example.targets.end(), cloze.target.begin(), cloze.target.end());
  example.weights.resize(example.targets.size(), 1.0f);
  return {std::move(example)};
}

Example scored_stop(Example example, Token stop) {
  std::fill(example.weights.begin(), example.weights.end(), 0.0f);
  example.targets.push_back(stop);
  example.weights.push_back(1);
  return example;
}

std::vector<Example> continuation_stop(const Cloze& cloze) {
  if (!cloze.right.empty()) return {};
  return {scored_stop(std::move(continuation(cloze).front()), end_token)};
}

namespace {

/// The evidence of what is read of a segment: a mask shows nothing.
Evidence read_evidence(const Segment& segment, const Example& example, std::size_t states,
                       Evidence evidence) {
  for (std::size_t t = 0; t < segment.count; ++t)
    if (example.shown[segment.first + t] == mask_token)
      std::fill_n(evidence.begin() + static_cast<std::ptrdiff_t>(t * states), states, 1.0);
  return evidence;
}

/// Calls `take` for each scored token with its index in the text, its weight, the distribution of its state
/// given what is read before it, and its evidence, both [composite state].
template <class Take>
void each_scored(const Chain& language, const Text& text, const Example& example,
                 const Take& take) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  const bool masked = !example.shown.empty();
  for (const Segment& segment : segments(text.tokens)) {
    const Evidence evidence =
        emission_likelihood(language, text.tokens.subspan(segment.first, segment.count));
    const std::vector<double> distribution =
        predicted(language, static_cast<std::int64_t>(segment.count),
                  masked ? read_evidence(segment, example, size, evidence) : evidence,
                  segment.starts_document);
    for (std::size_t t = 0; t < segment.count; ++t)
      if (const double weight = example.weights[segment.first + t]; weight > 0)
        take(segment.first + t, weight, std::span(distribution).subspan(t * size, size),
             std::span(evidence).subspan(t * size, size));
  }
}

}  // namespace

Loss left_to_right_optimum(const Chain& language, const Text& text, const Example& example) {
  const bool masked = !example.shown.empty();
  Loss loss;
  each_scored(language, text, example,
              [&](std::size_t, double weight, std::span<const double> states,
                  std::span<const double> evidence) {
                double probability =
                    std::inner_product(states.begin(), states.end(), evidence.begin(), 0.0);
                // After a mask the document may have ended; it has not, or the token would not be
                // there.
                if (masked) probability /= std::accumulate(states.begin(), states.end(), 0.0);
                loss += {-weight * std::log(probability), weight};
              });
  return loss;
}

void left_to_right_forecasts(const Chain& language, const Text& text, const Example& example,
                             const TakeForecast& take) {
  const FutureTable next = weighted_tokens(language, std::vector<double>{1});
  each_scored(
      language, text, example,
      [&](std::size_t at, double weight, std::span<const double> here, std::span<const double>) {
        take(weight, future_index(language, text.tokens[at]), next.given(here));
      });
}

Loss left_to_right_floor(std::span<const double> unigram, const Text&, const Example& example) {
  return cost_without_context(unigram, example);
}

Forecast::Forecast(const Chain& language, const Text& text, const Segment& segment)
    : language_(language),
      size_(static_cast<std::size_t>(language.composite_states())),
      known_(states_before(language, text.tokens, segment)) {}

double Forecast::probability(std::size_t t, std::size_t further, Token token) const {
  std::vector<double> distribution(known_.begin() + static_cast<std::ptrdiff_t>(t * size_),
                                   known_.begin() + static_cast<std::ptrdiff_t>((t + 1) * size_));
  for (std::size_t step = 0; step < further; ++step)
    distribution = transition_step(language_, distribution);
  const Evidence there = emission_likelihood(language_, {&token, 1});
  return std::inner_product(distribution.begin(), distribution.end(), there.begin(), 0.0) /
         std::accumulate(distribution.begin(), distribution.end(), 0.0);
}

}  // namespace ablate::objectives
