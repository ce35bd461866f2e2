// Beam search: looks for the text of the highest score, keeping the `width` most probable beginnings of
// each length.
//
//   score = log P(text | prompt) / ((5 + tokens) / 6) ^ alpha
//
// The tokens are those after the prompt, the end token among them. A text that ends leaves the beam,
// which is narrower from then on: so a beam of width 1 is greedy decoding, and one that has room for all
// beginnings finds the best text. What has not ended at the maximum length is scored as it is.

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/probes/generation/samplers/common/drawing.h"
#include "harness/probes/generation/samplers/sampler.h"
#include "harness/probes/generation/token_filters/by_probability.h"

namespace ablate::probes {
namespace {

struct BeamSettings {
  std::size_t width = 1, length = 0;
  double alpha = 0;

  double score(double log_probability, std::size_t tokens) const {
    return log_probability / std::pow((5 + static_cast<double>(tokens)) / 6, alpha);
  }
};

/// The search for one text.
class Search {
 public:
  Search(const UnfinishedText& start, const BeamSettings& settings)
      : settings_(settings), room_(settings.width), given_(start.given) {
    if (start.tokens.size() < settings.length)
      alive_.push_back({start.tokens, start.given});
    else
      best_ = Sample{start.tokens, start.given};
  }

  const std::vector<Sample>& alive() const { return alive_; }

  const Sample& best() const { return *best_; }

  /// Extends every beginning by every token. `next`: what follows each of them.
  void extend(const std::vector<TokenDistribution>& next, const Vocabulary& vocabulary) {
    std::vector<Candidate> candidates;
    for (std::size_t from = 0; from < alive_.size(); ++from) {
      std::vector<std::size_t> entries = by_probability(next[from]);
      entries.resize(std::min(entries.size(), room_));  // no more of one can be kept
      for (const std::size_t entry : entries)
        candidates.push_back(
            {from, entry,
             alive_[from].log_probability + next[from].scores[entry] - std::log(next[from].total)});
    }
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::log_probability);
    candidates.resize(std::min(candidates.size(), room_));
    std::vector<Sample> extended;
    for (const Candidate& candidate : candidates) {
      Sample text = alive_[candidate.from];
      text.tokens.push_back(token_of(candidate.entry, vocabulary));
      text.log_probability = candidate.log_probability;
      const bool ends = text.tokens.back() == end_token;
      room_ -= ends ? 1 : 0;
      if (ends || text.tokens.size() == settings_.length)
        finish(std::move(text));
      else
        extended.push_back(std::move(text));
    }
    alive_ = std::move(extended);
    if (cannot_improve()) alive_.clear();
  }

 private:
  struct Candidate {
    std::size_t from = 0, entry = 0;
    double log_probability = 0;
  };

  void finish(Sample text) {
    const double score = settings_.score(text.log_probability, text.tokens.size() - given_);
    if (best_ && score <= best_score_) return;
    best_ = std::move(text);
    best_score_ = score;
  }

  /// Whether no text that is still alive can beat the best: its log-probability falls with every
  /// token, and the penalty is the highest at the maximum length.
  bool cannot_improve() const {
    return best_ && std::ranges::all_of(alive_, [&](const Sample& text) {
             return settings_.score(text.log_probability, settings_.length - given_) <= best_score_;
           });
  }

  BeamSettings settings_;
  std::size_t room_;  // beginnings that may be kept: the width less the texts that have ended
  std::size_t given_;
  std::vector<Sample> alive_;
  std::optional<Sample> best_;
  double best_score_ = 0;
};

/// One token for all searches of a group; returns whether one of them goes on.
bool step(const TokenSource& source, std::vector<Search>& group) {
  std::vector<std::span<const Token>> texts;
  std::vector<Place> last;
  for (const Search& search : group)
    for (const Sample& text : search.alive()) {
      last.push_back({texts.size(), text.tokens.size() - 1});
      texts.emplace_back(text.tokens);
    }
  if (texts.empty()) return false;
  const std::vector<float> logits = source.predict(texts, last);
  const std::size_t vocabulary = logits.size() / texts.size();
  std::size_t row = 0;
  for (Search& search : group) {
    std::vector<TokenDistribution> next;
    next.reserve(search.alive().size());
    for (std::size_t i = 0; i < search.alive().size(); ++i, ++row)
      next.push_back(
          source.own_distribution(std::span(logits).subspan(row * vocabulary, vocabulary), true));
    if (!next.empty()) search.extend(next, source.vocabulary);
  }
  return true;
}

std::vector<Sample> draw(const TokenSource& source, const DrawTask& task) {
  const BeamSettings settings{.width = static_cast<std::size_t>(task.options.integer("width")),
                              .length = task.length,
                              .alpha = task.options.number("length_penalty")};
  const std::size_t together = std::max<std::size_t>(1, kSamplesAtOnce / settings.width);
  std::vector<Sample> samples;
  samples.reserve(task.texts.size());
  for (std::size_t first = 0; first < task.texts.size(); first += together) {
    std::vector<Search> group;
    for (const UnfinishedText& text :
         task.texts.subspan(first, std::min(together, task.texts.size() - first)))
      group.emplace_back(text, settings);
    while (step(source, group)) {
    }
    for (const Search& search : group) samples.push_back(search.best());
    task.progress(static_cast<double>(samples.size()) / static_cast<double>(task.texts.size()));
  }
  return samples;
}

}  // namespace

SamplerSpec beam_sampler() {
  return {.name = "beam",
          .summary = "searches for the most probable text, keeping several beginnings",
          .source =
              "Sutskever, Vinyals & Le 2014, arXiv:1409.3215, section 3.2 (the beam narrows "
              "as texts end); Wu et al. 2016, arXiv:1609.08144, section 7 (length penalty)",
          .differs = "without the coverage penalty of Wu et al., which is for translation",
          .generation = Generation::ancestral,
          .deterministic = true,
          .params = {integer("width", 4, 1, 1000, "number of beginnings that are kept"),
                     number("length_penalty", 0, 0, 5,
                            "alpha: the log-probability is divided by ((5 + tokens) / 6) ^ alpha; "
                            "0: the most probable text, which is short; 0.6 is common")},
          .draw = draw};
}

}  // namespace ablate::probes
