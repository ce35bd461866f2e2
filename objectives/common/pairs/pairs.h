// A text as a pair of segments, with a label that says how they relate.
//
//   [CLS] A [SEP] B [SEP]     B follows A in the text, or comes from another document (next
//                             sentence prediction), or the two are swapped (sentence order)
//
// Begin and end tokens belong to no segment. They stay at the edges of the text, so that they say
// nothing about the label.
//
// Label 1 is the broken pair (random or swapped), as in the code of BERT and ALBERT.
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
  nsp,   // next sentence prediction: in half of the pairs B comes from another document
  sop,   // sentence order prediction: in half of the pairs A and B are swapped
};

/// How broken pairs are drawn: by a fair coin, or by the algorithm of the reference code.
enum class Negatives { balanced, reference };

struct PairSettings {
  PairKind kind = PairKind::none;
  Negatives negatives = Negatives::balanced;
  bool by_sentence = true;  // segments start at sentences; false or without marks: at any token
};

enum PairLabel : Token { unpaired_label = -1, follows_label = 0, broken_label = 1 };

/// A text in the format of a pair: at most three tokens longer than the text.
struct Pair {
  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks;   // as in Text; empty where the text has none
  std::vector<std::int32_t> places;  // position in the text of each token, or of the token that it
                                     // replaces; -1: none
  std::size_t second = 0;            // index of the second segment's first token; 0: one segment
  Token label = unpaired_label;
};

/// Makes a pair of the text. Where that is impossible (a text of one sentence, or no suitable
/// segment in other documents) the result is one segment, [CLS] A [SEP].
///
/// Balanced: the cut and the lengths of both segments are fixed before a fair coin decides the
/// label. A random segment has as many tokens as the one it replaces and also starts a sentence.
/// Reference: one of the pairs that reference_pairs makes of the text, each equally likely. The
/// algorithm decides the length of a segment from another document, and drops some of the text's
/// own tokens.
///
/// Requires: a text from a single document.
Pair paired(const PairSettings& settings, const Text& text, Rng rng);

/// The parts of one of BERT's pairs: sentences [first, cut) of a document, then either sentences
/// [cut, last) or a segment of another document.
struct ReferencePair {
  std::size_t first = 0, cut = 0, last = 0;
  std::size_t target = 0;  // tokens of the pair; a segment of another document fills up to it
  bool random = false;     // the second segment is of another document; `last` is not used
  bool swapped = false;    // the segments are in reverse order
};

/// The pairs that create_pretraining_data.py makes of a document, given the lengths of its
/// sentences (tokens) and the maximum length of a pair. The algorithm takes sentences until they
/// fill a pair and cuts them in two at a random sentence. A random pair uses only the first part
/// and puts the rest back, so short documents yield many more random pairs, and a document of one
/// sentence yields nothing else. For sentence order a single remaining sentence also becomes a
/// random pair, as in ALBERT. Requires: lengths > 0, maximum >= 2.
std::vector<ReferencePair> reference_pairs(std::span<const std::size_t> sentences,
                                           std::size_t maximum, PairKind kind, Rng rng);

}  // namespace ablate::objectives
