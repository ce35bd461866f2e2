// Mask-predict: all masks are filled by their most probable tokens at once; then, in each further
// iteration, the least confident ones are hidden and predicted anew, fewer each time.
//
//   iteration t of T hides the n (T - t) / T tokens of the lowest probability, t = 0 ... T - 1
//
// A token's probability is that of the iteration that predicted it last. With T = 1 it is the argmax of
// every position on its own.

#include <algorithm>

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/generation/token_filters/by_probability.h"

namespace ablate::probes {
namespace {

/// A text that is predicted, and how sure the model was of each of its tokens.
struct PredictedText {
  Sample sample;
  std::vector<std::size_t> positions;  // of the masks, the least confident ones in front
  std::vector<double> confidence;      // [time]

  std::size_t hidden_in(std::size_t iteration, std::size_t iterations) const {
    return positions.size() * (iterations - iteration) / iterations;
  }
};

void hide(PredictedText& text, std::size_t count) {
  std::ranges::stable_sort(text.positions, {},
                           [&](std::size_t position) { return text.confidence[position]; });
  for (std::size_t i = 0; i < count; ++i) text.sample.tokens[text.positions[i]] = mask_token;
}

void predict(PredictedText& text, std::size_t position, const TokenDistribution& distribution,
             const Vocabulary& vocabulary) {
  const std::size_t best = by_probability(distribution).front();
  text.sample.tokens[position] = token_of(best, vocabulary);
  text.confidence[position] = distribution.probability(best);
}

void iterate(const TokenSource& source, std::span<PredictedText> group, std::size_t iteration,
             std::size_t iterations) {
  std::vector<std::span<const Token>> texts;
  std::vector<Place> places;
  texts.reserve(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::size_t hidden = group[i].hidden_in(iteration, iterations);
    hide(group[i], hidden);
    texts.emplace_back(group[i].sample.tokens);
    for (std::size_t j = 0; j < hidden; ++j) places.push_back({i, group[i].positions[j]});
  }
  if (places.empty()) return;
  const std::vector<float> logits = source.predict(texts, places);
  const std::size_t vocabulary = logits.size() / places.size();
  for (std::size_t row = 0; row < places.size(); ++row)
    predict(group[places[row].document], places[row].position,
            source.own_distribution(std::span(logits).subspan(row * vocabulary, vocabulary), false),
            source.vocabulary);
}

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  const auto iterations = static_cast<std::size_t>(task.options.integer("iterations"));
  std::vector<PredictedText> all;
  all.reserve(task.texts.size());
  for (const UnfinishedText& text : task.texts)
    all.push_back({{text.tokens, text.given},
                   masks_of(text.tokens),
                   std::vector<double>(text.tokens.size(), 0.0)});
  for (std::size_t first = 0; first < all.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, all.size() - first);
    for (std::size_t iteration = 0; iteration < iterations; ++iteration)
      iterate(source, std::span(all).subspan(first, count), iteration, iterations);
    task.progress(static_cast<double>(first + count) / static_cast<double>(all.size()));
  }
  std::vector<Sample> samples;
  samples.reserve(all.size());
  for (PredictedText& text : all) samples.push_back(std::move(text.sample));
  return samples;
}

}  // namespace

SamplerSpec mask_predict_sampler() {
  return {.name = "mask_predict",
          .summary =
              "takes the most probable tokens, then hides the least confident ones and predicts "
              "them again",
          .source = "Ghazvininejad et al. 2019, arXiv:1904.09324, section 3",
          .differs = "the length is told; the paper predicts several and keeps the best text",
          .generation = Generation::unmasking,
          .deterministic = true,
          .params = {integer("iterations", 10, 1, 1e4, "iterations T; 1: all tokens at once")},
          .draw = draw};
}

}  // namespace ablate::probes
