// A text as a pair of segments, with what a pair's label says of them.
//
//   [CLS] A [SEP] B [SEP]     B follows A in the text, or is another document's (next sentence
//                             prediction), or the two have changed places (sentence order)
//
// Begin and end tokens belong to no segment: they stay at the edges of the text, whatever stands
// between them, so that they tell nothing of the label.
//
// Label 1 is the broken pair, random or swapped, as in the code of BERT and of ALBERT.
//
// Sources: Devlin et al. 2019, arXiv:1810.04805, section 3.1; Lan et al. 2020, "ALBERT: A Lite BERT
// for Self-supervised Learning of Language Representations", arXiv:1909.11942, section 3.1; and
// create_pretraining_data.py of both, which `reference` negatives follow.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

enum class PairKind {
  none,  // B follows A, always
  nsp,   // next sentence prediction: B is another document's in half of the pairs
  sop,   // sentence order prediction: A and B have changed places in half of the pairs
};

enum class Negatives { balanced, reference };

struct PairSettings {
  PairKind kind = PairKind::none;
  Negatives negatives = Negatives::balanced;
  bool by_sentence = true;  // segments start where sentences do; else, or without marks, anywhere
};

enum PairLabel : Token { unpaired_label = -1, follows_label = 0, broken_label = 1 };

/// A text in the format of a pair: at most three tokens longer.
struct Pair {
  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks;   // as the text has them; empty where it has none
  std::vector<std::int32_t> places;  // of each token, or of the one that it stands in for, in the
                                     // text; -1: none
  std::size_t second = 0;            // where the second segment starts; 0: there is none
  Token label = unpaired_label;
};

/// The text as a pair; as one segment, [CLS] A [SEP], where no pair can be made of it: a text of
/// one sentence, or one that no other document can be put beside.
///
/// Balanced: whether there is a pair, where it is cut and how long its segments are is settled
/// before a fair coin says which label it gets. A random segment has as many tokens as the one that
/// it replaces and, like it, starts a sentence.
/// Reference: one of the pairs that reference_pairs makes of the text, each equally often. A
/// segment of another document is as long as that algorithm makes it; of the text's own tokens,
/// some are left out.
///
/// Requires: the text is of one document.
Pair paired(const PairSettings& settings, const Text& text, Rng rng);

/// What BERT makes a pair of: a document's sentences [first, cut) and [cut, last), or the former
/// and another document's.
struct ReferencePair {
  std::size_t first = 0, cut = 0, last = 0;
  std::size_t target = 0;  // tokens that a segment of another document is to fill up to
  bool random = false;     // then `last` is not used
  bool swapped = false;
};

/// The pairs that create_pretraining_data.py makes of a document, given its sentences' lengths and
/// how many tokens a pair may have. Sentences are taken until they fill a pair, and cut in two
/// anywhere. A random pair uses the first of its parts alone; the others are taken again, so that
/// short documents yield far more random pairs than others, and nothing but random pairs where
/// they have one sentence. Sentence order is swapped, but what is left as one sentence still
/// becomes a random pair (ALBERT does so). Requires: lengths > 0, most >= 2.
std::vector<ReferencePair> reference_pairs(std::span<const std::size_t> sentences,
                                           std::size_t maximum, PairKind kind, Rng rng);

}  // namespace ablate::objectives
