#include "harness/probes/speculative_decoding/decoding.h"

#include <algorithm>
#include <cmath>

#include "harness/base/time/time_spent.h"
#include "harness/probes/speculative_decoding/head_forward.h"
#include "harness/probes/speculative_decoding/verification.h"

namespace ablate::probes {
namespace {

/// A token that a further head proposes, and what it was drawn from.
struct Drafted {
  std::size_t entry = 0;
  TokenDistribution distribution;
};

/// A text while it is decoded.
struct Growing {
  Sample sample;
  std::vector<Drafted> drafts;  // of the tokens that follow the sample's
  std::vector<Token> read;      // by the next forward: the sample's tokens and the drafts
  std::size_t number = 0;       // among all texts: the key of its random numbers
};

double entropy_of(const TokenDistribution& distribution) {
  double entropy = std::log(distribution.total);
  for (std::size_t entry = 0; entry < distribution.masses.size(); ++entry)
    if (distribution.masses[entry] > 0)
      entropy -= distribution.probability(entry) * distribution.scores[entry];
  return entropy;
}

/// Texts that are decoded together.
class DecodedGroup {
 public:
  DecodedGroup(const Sampler& sampler, std::vector<Growing>& texts, std::span<const HeadNeed> heads,
               std::size_t length, DecodingTally& tally)
      : sampler_(sampler), heads_(heads), length_(length), tally_(tally) {
    for (Growing& text : texts)
      if (text.sample.tokens.size() < length) alive_.push_back(&text);
  }

  bool done() const { return alive_.empty(); }

  void step() {
    std::vector<std::span<const Token>> documents;
    documents.reserve(alive_.size());
    for (Growing* text : alive_) {
      text->read = text->sample.tokens;
      for (const Drafted& draft : text->drafts) text->read.push_back(token_at(draft.entry));
      documents.emplace_back(text->read);
      ++tally_.forwards;
      tally_.positions += std::ssize(text->read);
    }
    HeadForward forward(sampler_.network, documents, heads_, sampler_.device);
    verify(forward);
    draft(forward);
    std::erase_if(alive_, [&](const Growing* text) { return ended(*text); });
  }

 private:
  Token token_at(std::size_t entry) const { return token_of(entry, sampler_.vocabulary); }

  bool ended(const Growing& text) const {
    return text.sample.tokens.size() == length_ || text.sample.tokens.back() == end_token;
  }

  /// The numbers for the token that follows those of a text.
  Rng rng_of(const Growing& text, std::size_t ahead) const {
    return sampler_.rng.fork(text.number).fork(text.sample.tokens.size() + ahead);
  }

  void verify(HeadForward& forward) {
    std::vector<Place> places;  // of each text the last token, then its drafts
    for (std::size_t row = 0; row < alive_.size(); ++row)
      for (std::size_t i = 0; i <= alive_[row]->drafts.size(); ++i)
        places.push_back({row, alive_[row]->sample.tokens.size() - 1 + i});
    const std::vector<float> logits = forward.next_logits(places);
    const std::size_t vocabulary = logits.size() / places.size();
    std::size_t first = 0;
    for (Growing* text : alive_) {
      const std::size_t count = text->drafts.size() + 1;
      extend(*text, std::span(logits).subspan(first * vocabulary, count * vocabulary), vocabulary);
      first += count;
    }
  }

  /// Adds the drafts that are kept and, unless the text has ended, one more token. `logits`:
  /// [drafts + 1, vocabulary].
  void extend(Growing& text, std::span<const float> logits, std::size_t vocabulary) {
    for (std::size_t i = 0; !ended(text); ++i) {
      const auto own = logits.subspan(i * vocabulary, vocabulary);
      const TokenDistribution target = sampler_.distribution(own, true);
      if (i == text.drafts.size()) {
        Rng rng = rng_of(text, 0).fork("draw");
        add(text, target, drawn_entry(target.masses, target.total, rng.uniform()));
        return;
      }
      const Drafted& draft = text.drafts[i];
      const Verification made =
          verified(target, draft.distribution, draft.entry, rng_of(text, 0).fork("verify"));
      count(i, made.accepted, own);
      add(text, target, made.entry);
      if (!made.accepted) return;
    }
  }

  void add(Growing& text, const TokenDistribution& target, std::size_t entry) {
    text.sample.tokens.push_back(token_at(entry));
    text.sample.log_probability += target.scores[entry] - std::log(target.total);
    ++tally_.tokens;
  }

  void count(std::size_t further, bool accepted, std::span<const float> logits) {
    const double entropy =
        entropy_of(token_distribution(logits, sampler_.vocabulary, true, sampler_.temperature));
    const auto bin = static_cast<std::size_t>(
        std::upper_bound(kEntropyBins.begin(), kEntropyBins.end(), entropy) - kEntropyBins.begin());
    for (DraftCount* one : {&tally_.by_head[further], &tally_.by_entropy[bin]}) {
      ++one->checked;
      one->accepted += accepted ? 1 : 0;
    }
  }

  /// Drafts what follows the token that was drawn last, at the state that it was drawn from.
  void draft(HeadForward& forward) {
    for (Growing* text : alive_) text->drafts.clear();
    for (std::size_t further = 0; further + 1 < heads_.size(); ++further) {
      std::vector<Place> places;
      std::vector<Growing*> drafting;
      for (std::size_t row = 0; row < alive_.size(); ++row) {
        Growing& text = *alive_[row];
        const std::size_t size = text.sample.tokens.size();
        if (ended(text) || size + further >= length_) continue;
        places.push_back({row, size - 2});
        drafting.push_back(&text);
        // What a head that continues the one before it reads: the token before the one that it drafts.
        if (forward.continues())
          forward.write({row, size - 1 + further}, further == 0
                                                       ? text.sample.tokens.back()
                                                       : token_at(text.drafts.back().entry));
      }
      if (places.empty()) return;
      const std::vector<float> logits = forward.next_logits(places);
      const std::size_t vocabulary = logits.size() / places.size();
      for (std::size_t i = 0; i < places.size(); ++i) {
        TokenDistribution own =
            sampler_.distribution(std::span(logits).subspan(i * vocabulary, vocabulary), true);
        Rng rng = rng_of(*drafting[i], further).fork("draft");
        const std::size_t entry = drawn_entry(own.masses, own.total, rng.uniform());
        drafting[i]->drafts.push_back({entry, std::move(own)});
      }
    }
  }

  const Sampler& sampler_;
  std::span<const HeadNeed> heads_;
  std::size_t length_;
  DecodingTally& tally_;
  std::vector<Growing*> alive_;
};

}  // namespace

std::vector<Sample> decode_speculatively(const Sampler& sampler,
                                         std::span<const std::vector<Token>> starts,
                                         std::span<const HeadNeed> heads, std::size_t length,
                                         DecodingTally& tally) {
  const Spending writing(Activity::text);
  tally.by_head.resize(heads.size() - 1);
  std::vector<Growing> texts;
  texts.reserve(starts.size());
  for (const std::vector<Token>& start : starts)
    texts.push_back({.sample = {start, start.size()}, .number = texts.size()});
  for (std::size_t first = 0; first < texts.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, texts.size() - first);
    std::vector<Growing> together(
        std::make_move_iterator(texts.begin() + static_cast<std::ptrdiff_t>(first)),
        std::make_move_iterator(texts.begin() + static_cast<std::ptrdiff_t>(first + count)));
    DecodedGroup group(sampler, together, heads, length, tally);
    while (!group.done()) group.step();
    std::move(together.begin(), together.end(), texts.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::vector<Sample> samples;
  samples.reserve(texts.size());
  for (Growing& text : texts) samples.push_back(std::move(text.sample));
  return samples;
}

double expected_tokens(std::span<const DraftCount> by_head) {
  double expected = 1, all_kept = 1;
  for (const DraftCount& head : by_head) {
    if (head.checked == 0) break;
    expected += all_kept *= head.acceptance();
  }
  return expected;
}

}  // namespace ablate::probes
