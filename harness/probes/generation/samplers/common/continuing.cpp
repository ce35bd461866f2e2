#include "harness/probes/generation/samplers/common/continuing.h"

#include <algorithm>

namespace ablate::probes {
namespace {

/// Samples that are drawn together. All that have not ended have the same length.
class SampleGroup {
 public:
  SampleGroup(const TokenSource& source, const ChooseToken& choose, std::span<Sample> samples,
              std::size_t first, std::size_t length)
      : source_(source), choose_(choose), samples_(samples), first_(first), length_(length) {
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
    const std::vector<float> logits = source_.predict(texts, last);
    const std::size_t vocabulary = logits.size() / alive_.size();
    std::vector<std::size_t> alive;
    for (std::size_t row = 0; row < alive_.size(); ++row)
      if (extend(alive_[row], std::span(logits).subspan(row * vocabulary, vocabulary)))
        alive.push_back(alive_[row]);
    alive_ = std::move(alive);
  }

 private:
  /// Chooses the next token of a sample; returns whether another one follows.
  bool extend(std::size_t i, std::span<const float> logits) {
    Sample& sample = samples_[i];
    Rng rng = source_.rng.fork(first_ + i).fork(sample.tokens.size());
    const Draw draw = choose_(logits, rng.uniform());
    sample.tokens.push_back(draw.token);
    sample.log_probability += draw.log_probability;
    return draw.token != end_token && sample.tokens.size() < length_;
  }

  const TokenSource& source_;
  const ChooseToken& choose_;
  std::span<Sample> samples_;
  std::size_t first_;  // index of the first sample among all samples
  std::size_t length_;
  std::vector<std::size_t> alive_;
};

}  // namespace

std::vector<Sample> continue_texts(const TokenSource& source, const DrawTask& task,
                                   const ChooseToken& choose) {
  std::vector<Sample> samples;
  samples.reserve(task.texts.size());
  for (const UnfinishedText& text : task.texts) samples.push_back({text.tokens, text.given});
  for (std::size_t first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, samples.size() - first);
    SampleGroup group(source, choose, std::span(samples).subspan(first, count), task.first + first,
                      task.length);
    while (!group.done()) group.step();
    task.progress(static_cast<double>(first + count) / static_cast<double>(samples.size()));
  }
  return samples;
}

std::vector<Sample> continue_by_draws(const TokenSource& source, const DrawTask& task) {
  return continue_texts(source, task, [&source](std::span<const float> logits, double uniform) {
    return draw_from(source.distribution(logits, true), source.vocabulary, uniform);
  });
}

}  // namespace ablate::probes
