#include "harness/probes/generation/ancestral.h"

#include <algorithm>

#include "harness/probes/classification/states.h"

namespace ablate::probes {
namespace {

/// Samples that are drawn together. All that have not ended have the same length.
class SampleGroup {
 public:
  SampleGroup(const Sampler& sampler, std::span<Sample> samples, std::size_t first,
              std::size_t length)
      : sampler_(sampler), samples_(samples), first_(first), length_(length) {
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (samples[i].tokens.size() < length) alive_.push_back(i);
  }

  bool done() const { return alive_.empty(); }

  void step() {
    std::vector<std::span<const Token>> texts;
    std::vector<Place> last;
    for (const std::size_t i : alive_) {
      last.push_back({texts.size(), samples_[i].tokens.size() - 1});
      texts.emplace_back(samples_[i].tokens);
    }
    const std::vector<float> logits =
        logits_at(sampler_.network, texts, Attention::causal, last, sampler_.device);
    const std::size_t vocabulary = logits.size() / alive_.size();
    std::vector<std::size_t> alive;
    for (std::size_t row = 0; row < alive_.size(); ++row)
      if (extend(alive_[row], std::span(logits).subspan(row * vocabulary, vocabulary)))
        alive.push_back(alive_[row]);
    alive_ = std::move(alive);
  }

 private:
  /// Draws the next token of a sample; returns whether another one follows.
  bool extend(std::size_t i, std::span<const float> logits) {
    Sample& sample = samples_[i];
    Rng rng = sampler_.rng.fork(first_ + i).fork(sample.tokens.size());
    const Draw draw =
        draw_from(sampler_.distribution(logits, true), sampler_.vocabulary, rng.uniform());
    sample.tokens.push_back(draw.token);
    sample.log_probability += draw.log_probability;
    return draw.token != end_token && sample.tokens.size() < length_;
  }

  const Sampler& sampler_;
  std::span<Sample> samples_;
  std::size_t first_;  // index of the first sample among all samples
  std::size_t length_;
  std::vector<std::size_t> alive_;
};

}  // namespace

std::vector<Sample> draw_left_to_right(const Sampler& sampler,
                                       const std::vector<std::vector<Token>>& starts,
                                       std::int64_t length, const SamplingProgress& progress) {
  std::vector<Sample> samples;
  for (const std::vector<Token>& start : starts) samples.push_back({start, start.size()});
  for (std::size_t first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, samples.size() - first);
    SampleGroup group(sampler, std::span(samples).subspan(first, count), first,
                      static_cast<std::size_t>(length));
    while (!group.done()) group.step();
    progress(static_cast<double>(first + count) / static_cast<double>(samples.size()));
  }
  return samples;
}

}  // namespace ablate::probes
