// How much better a model's surprisals explain reading times than what is known without it.

#pragma once

#include <span>
#include <vector>

namespace ablate::probes {

/// A word that people read, and what may explain how long they took.
struct ReadWord {
  double time = 0;        // in the unit of the file, such as milliseconds
  double characters = 0;  // of the word
  double rarity = 0;      // the cost of its tokens without context, in nats
  double position = 0;    // tokens before it
  double surprisal = 0;   // under a model, in nats
};

/// What surprisals add to the explanation.
struct SurprisalGain {
  double r2 = 0;           // fraction of the variance of times explained with surprisal
  double baseline_r2 = 0;  // without it

  /// The fraction of the variance that is left without surprisal which it explains.
  double r2_gain() const { return baseline_r2 < 1 ? (r2 - baseline_r2) / (1 - baseline_r2) : 0; }

  /// By word, in nats: how much likelier its time is with surprisal than without, under regressions
  /// on the nine tenths of the words that it is not in.
  std::vector<double> by_word;
};

/// Linear regressions of the times on length, rarity and position, their products, and then surprisal
/// as well, with normal errors. The tenths are consecutive words, so that the words of a sentence
/// stay together. Throws std::invalid_argument below `kFewestWords` words, and where all times are
/// equal.
/// Sources: Goodkind and Bicknell 2018, "Predictive power of word surprisal for reading times is a
/// linear function of language model quality", section 3; r2_gain() is the score of the BabyLM
/// challenge's evaluation of 2025 (Charpentier et al. 2025, arXiv:2502.10645), which takes frequencies
/// from subtitles, not from the training text, and for self-paced reading has the length and the
/// surprisal of the word before, too. Differs from both: no random effects of readers and items.
SurprisalGain surprisal_gain(std::span<const ReadWord> words);

/// Words below which ten regressions on nine tenths of them say nothing.
inline constexpr std::size_t kFewestWords = 40;

}  // namespace ablate::probes
