#include "harness/probes/generation/unmasking.h"

#include <algorithm>
#include <numeric>

#include "harness/base/shuffle.h"
#include "harness/probes/classification/states.h"

namespace ablate::probes {
namespace {

/// The masked positions of a text in random order.
std::vector<std::size_t> unmasking_order(const MaskedText& masked_text, Rng rng) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < masked_text.tokens.size(); ++i)
    if (masked_text.tokens[i] == mask_token) order.push_back(i);
  shuffle(order, rng);
  return order;
}

/// Texts that are filled together.
class MaskedGroup {
 public:
  MaskedGroup(const Sampler& sampler, std::span<const MaskedText> masked, std::size_t first)
      : sampler_(sampler), first_(first) {
    for (const MaskedText& masked_text : masked) {
      orders_.push_back(unmasking_order(masked_text, rng_of(samples_.size()).fork("order")));
      samples_.push_back({masked_text.tokens, masked_text.given});
    }
  }

  std::size_t max_masks() const {
    std::size_t maximum = 0;
    for (const auto& order : orders_) maximum = std::max(maximum, order.size());
    return maximum;
  }

  /// Round `round` of `rounds`. The masks of each text are spread evenly over the rounds.
  void step(std::size_t round, std::size_t rounds) {
    std::vector<std::span<const Token>> texts;
    std::vector<Place> places;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      texts.emplace_back(samples_[i].tokens);
      const std::size_t masks = orders_[i].size();
      for (std::size_t j = round * masks / rounds; j < (round + 1) * masks / rounds; ++j)
        places.push_back({i, orders_[i][j]});
    }
    if (places.empty()) return;
    const std::vector<float> logits =
        logits_at(sampler_.network, texts, Attention::bidirectional, places, sampler_.device);
    const std::size_t vocabulary = logits.size() / places.size();
    for (std::size_t i = 0; i < places.size(); ++i)
      fill(places[i], std::span(logits).subspan(i * vocabulary, vocabulary));
  }

  void take(std::vector<Sample>& samples) {
    std::move(samples_.begin(), samples_.end(), std::back_inserter(samples));
  }

 private:
  Rng rng_of(std::size_t sample) const { return sampler_.rng.fork(first_ + sample); }

  void fill(const Place& place, std::span<const float> logits) {
    Rng rng = rng_of(place.document).fork(place.position);
    samples_[place.document].tokens[place.position] =
        draw_from(sampler_.distribution(logits, false), sampler_.vocabulary, rng.uniform()).token;
  }

  const Sampler& sampler_;
  std::size_t first_;  // index of the first text among all texts
  std::vector<std::vector<std::size_t>> orders_;
  std::vector<Sample> samples_;
};

}  // namespace

std::vector<Sample> draw_by_unmasking(const Sampler& sampler, const std::vector<MaskedText>& masked,
                                      std::int64_t rounds, const SamplingProgress& progress) {
  std::vector<Sample> samples;
  for (std::size_t first = 0; first < masked.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, masked.size() - first);
    MaskedGroup group(sampler, std::span(masked).subspan(first, count), first);
    std::size_t total_rounds = group.max_masks();
    if (rounds > 0) total_rounds = std::min(total_rounds, static_cast<std::size_t>(rounds));
    for (std::size_t round = 0; round < total_rounds; ++round) group.step(round, total_rounds);
    group.take(samples);
    progress(static_cast<double>(first + count) / static_cast<double>(masked.size()));
  }
  return samples;
}

}  // namespace ablate::probes
