// How much a written text has in common with a reference: exact match and F1 over words as SQuAD
// counts them, and chrF over characters. Without LibTorch.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ablate::probes {

/// A text as SQuAD compares it: case-folded, without punctuation and without the words a, an and the,
/// its words separated by one space. Letters and white space are those of Unicode, as in Python;
/// punctuation that of Unicode and of ASCII, as in MLQA: SQuAD's own, of ASCII alone, is for English.
/// Sources: Rajpurkar et al. 2016, arXiv:1606.05250, section 6.1, and its evaluation script; Lewis
/// et al. 2020, arXiv:1910.07475, section 4, and its evaluation script. Differs: case is folded
/// ("ß" is "ss"), where Python's lower() is taken there.
std::string squad_normalised(std::string_view text);

/// Whether two texts are equal once normalised.
bool same_answer(std::string_view text, std::string_view reference);

/// F1 of the words that two normalised texts share, as multisets; where one of them has no words, 1
/// if neither has, else 0. Symmetric. Source: as above; the empty text as in SQuAD 2.0.
double word_f1(std::string_view text, std::string_view reference);

/// The n-grams of characters of order n = 1 ... 6 of a text and of its reference, and those that they
/// share. Additive: the counts of a corpus are the sums over its texts.
struct ChrfCounts {
  static constexpr std::size_t kOrders = 6;
  std::array<std::int64_t, kOrders> text{}, reference{}, shared{};

  ChrfCounts& operator+=(const ChrfCounts& other);

  /// chrF with beta = 2, in [0, 100]: the F score of the mean precision and the mean recall over the
  /// orders that both sides have. 0 where there are none.
  double score() const;
};

/// The counts of one text. Characters are those of UTF-8; white space (of Unicode) is left out. Source:
/// Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", as sacreBLEU 2 computes
/// it by default: n-grams of a text are not counted in an order that the reference lacks.
ChrfCounts chrf_counts(std::string_view text, std::string_view reference);

}  // namespace ablate::probes
