// Remasking: masks are filled in random order, several at once, and in each iteration some of the tokens
// that were filled are hidden again, so that what was drawn can be changed once more is known.
//
// In the iteration from time t to s = t - 1 / T a token is hidden again with probability
//
//   r = min(rate, s / (1 - t))
//
// and a mask is filled with probability (t - s + r (1 - t)) / t, all of them given the same text. At every
// time a mask is then as probable as without remasking, and none is left at the end.

#include <algorithm>

#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

/// What happens to tokens and masks in one iteration.
struct Iteration {
  std::size_t number = 0;
  double hide = 0, fill = 1;  // probabilities of a token that was drawn, and of a mask

  Iteration(std::size_t index, std::size_t iterations, double rate) : number(index) {
    const auto all = static_cast<double>(iterations);
    const double t = 1 - static_cast<double>(index) / all;
    const double s = 1 - static_cast<double>(index + 1) / all;
    if (index > 0) hide = std::min(rate, s / (1 - t));
    fill = (t - s + hide * (1 - t)) / t;
  }
};

/// A text, and the places of it that are drawn.
struct EditedText {
  Sample sample;
  std::vector<std::size_t> places;
  Rng rng;  // of the text
};

void iterate(const TokenSource& source, std::span<EditedText> group, const Iteration& iteration) {
  std::vector<std::vector<Token>> before;
  std::vector<std::span<const Token>> texts;
  std::vector<Place> filled;
  before.reserve(group.size());
  texts.reserve(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    EditedText& text = group[i];
    texts.emplace_back(before.emplace_back(text.sample.tokens));
    const Rng rng = text.rng.fork(iteration.number);
    for (const std::size_t place : text.places) {
      const double u = rng.fork(place).uniform();
      if (before[i][place] != mask_token) {
        if (u < iteration.hide) text.sample.tokens[place] = mask_token;
      } else if (u < iteration.fill) {
        filled.push_back({i, place});
      }
    }
  }
  if (filled.empty()) return;
  const std::vector<float> logits = source.predict(texts, filled);
  const std::size_t vocabulary = logits.size() / filled.size();
  for (std::size_t row = 0; row < filled.size(); ++row) {
    const auto [i, place] = filled[row];
    Rng rng = group[i].rng.fork(iteration.number).fork(place).fork("token");
    group[i].sample.tokens[place] =
        draw_from(
            source.distribution(std::span(logits).subspan(row * vocabulary, vocabulary), false),
            source.vocabulary, rng.uniform())
            .token;
  }
}

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  const auto iterations = static_cast<std::size_t>(task.options.integer("iterations"));
  const double rate = task.options.number("rate");
  std::vector<EditedText> all;
  all.reserve(task.texts.size());
  for (const UnfinishedText& text : task.texts)
    all.push_back({{text.tokens, text.given},
                   masks_of(text.tokens),
                   source.rng.fork(task.first + all.size())});
  for (std::size_t first = 0; first < all.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, all.size() - first);
    for (std::size_t i = 0; i < iterations; ++i)
      iterate(source, std::span(all).subspan(first, count), Iteration(i, iterations, rate));
    task.progress(static_cast<double>(first + count) / static_cast<double>(all.size()));
  }
  std::vector<Sample> samples;
  samples.reserve(all.size());
  for (EditedText& text : all) samples.push_back(std::move(text.sample));
  return samples;
}

}  // namespace

SamplerSpec remasking_sampler() {
  return {.name = "remasking",
          .summary = "fills masks in random order, and hides some of the filled ones again",
          .source = "Wang et al. 2025, arXiv:2503.00307, section 4 (capped schedule)",
          .differs = "the length is told; the schedule of masks is linear",
          .generation = Generation::unmasking,
          .caveat =
              "drawn independently of each other in an iteration: a higher rate draws more of "
              "them together",
          .params = {integer("iterations", 64, 1, 1e5, "iterations T, each of one pass"),
                     number("rate", 0.05, 0, 1,
                            "maximum probability that a token is hidden again in an iteration; 0: "
                            "none is")},
          .draw = draw};
}

}  // namespace ablate::probes
