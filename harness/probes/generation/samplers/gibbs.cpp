// Gibbs sampling: a text is filled once, and then one token after the other is hidden and drawn anew
// given all others. A pass does so to every mask of the text once, in random order.
//
// A chain is read after `burn_in` passes, and again after every further `thinning` passes, until it has
// given `per_chain` texts; these have the same prompt and length. If the model's conditional
// distributions are those of one joint distribution, it is the stationary distribution of the chain. A
// masked LM's need not be (Goyal et al. 2022): then the chain's stationary distribution is its own, and
// may depend on the order of the passes.

#include <algorithm>

#include "harness/base/shuffle.h"
#include "harness/probes/generation/samplers/common/unmasking.h"
#include "harness/probes/generation/samplers/sampler.h"

namespace ablate::probes {
namespace {

/// Chains that are run together.
class Chains {
 public:
  Chains(const TokenSource& source, std::span<const UnfinishedText> texts, std::size_t first)
      : source_(source), first_(first) {
    positions_.reserve(texts.size());
    for (const UnfinishedText& text : texts) positions_.push_back(masks_of(text.tokens));
    states_ = fill_masks(source, {.texts = texts, .first = first}, UnmaskingOrder::random);
  }

  void pass() {
    ++passes_;
    std::vector<std::vector<std::size_t>> orders = positions_;
    std::size_t steps = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      Rng rng = rng_of(i).fork("order");
      shuffle(orders[i], rng);
      steps = std::max(steps, orders[i].size());
    }
    for (std::size_t step = 0; step < steps; ++step) update(orders, step);
  }

  const std::vector<Sample>& states() const { return states_; }

 private:
  Rng rng_of(std::size_t chain) const {
    return source_.rng.fork(first_ + chain).fork("pass").fork(passes_);
  }

  /// Draws one token of every chain that has one left in this pass.
  void update(const std::vector<std::vector<std::size_t>>& orders, std::size_t step) {
    std::vector<std::span<const Token>> texts;
    std::vector<Place> places;
    std::vector<std::size_t> chains;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      if (step >= orders[i].size()) continue;
      states_[i].tokens[orders[i][step]] = mask_token;
      places.push_back({texts.size(), orders[i][step]});
      texts.emplace_back(states_[i].tokens);
      chains.push_back(i);
    }
    const std::vector<float> logits = source_.predict(texts, places);
    const std::size_t vocabulary = logits.size() / places.size();
    for (std::size_t row = 0; row < places.size(); ++row) {
      Rng rng = rng_of(chains[row]).fork(places[row].position);
      states_[chains[row]].tokens[places[row].position] =
          draw_from(
              source_.distribution(std::span(logits).subspan(row * vocabulary, vocabulary), false),
              source_.vocabulary, rng.uniform())
              .token;
    }
  }

  const TokenSource& source_;
  std::size_t first_;  // index of the first chain among all chains
  std::vector<std::vector<std::size_t>> positions_;
  std::vector<Sample> states_;
  std::uint64_t passes_ = 0;
};

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  const auto option = [&](const char* name) {
    return static_cast<std::size_t>(task.options.integer(name));
  };
  const std::size_t burn_in = option("burn_in"), thinning = option("thinning"),
                    per_chain = option("per_chain");
  std::vector<UnfinishedText> starts;
  for (std::size_t i = 0; i < task.texts.size(); i += per_chain) starts.push_back(task.texts[i]);
  std::vector<Sample> samples(task.texts.size());
  for (std::size_t first = 0; first < starts.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, starts.size() - first);
    Chains chains(source, std::span(starts).subspan(first, count), first);
    for (std::size_t i = 0; i < burn_in; ++i) chains.pass();
    for (std::size_t kept = 0; kept < per_chain; ++kept) {
      for (std::size_t i = 0; kept > 0 && i < thinning; ++i) chains.pass();
      for (std::size_t chain = 0; chain < count; ++chain)
        if (const std::size_t i = (first + chain) * per_chain + kept; i < samples.size())
          samples[i] = chains.states()[chain];
    }
    task.progress(static_cast<double>(first + count) / static_cast<double>(starts.size()));
  }
  return samples;
}

}  // namespace

SamplerSpec gibbs_sampler() {
  return {.name = "gibbs",
          .summary = "fills the masks, then hides one token after another and draws it again",
          .source = "Wang & Cho 2019, arXiv:1902.04094; Geman & Geman 1984",
          .differs =
              "starts from a text filled in random order, not from masks, and visits every "
              "position once per pass; Wang & Cho draw a position each time",
          .generation = Generation::unmasking,
          .caveat =
              "the conditional distributions of a masked model need not belong to one joint "
              "distribution; the chain then converges to a distribution of its own (Goyal et "
              "al. 2022, arXiv:2106.02736)",
          .params = {integer("burn_in", 10, 0, 1e6,
                             "passes over all positions before a chain gives its first text"),
                     integer("thinning", 5, 1, 1e6, "passes between two texts of a chain"),
                     integer("per_chain", 1, 1, 1e6,
                             "texts per chain; they share a prompt and a length; 1: every text has "
                             "its own chain")},
          .draw = draw};
}

}  // namespace ablate::probes
