// Two passages that belong together, read apart from each other: neighbouring segments of a document, two
// views of one passage, or a document's picture and its text.

#pragma once

#include "harness/contract/example.h"
#include "objectives/common/views/views.h"

namespace ablate::objectives {

/// What belongs together.
enum class PassagesOf {
  segments,    // two neighbouring segments of a document
  dropout,     // a passage, and itself
  augmented,   // two views of a passage
  modalities,  // the picture of a document, and the text behind it
};

struct PairedPassages {
  PassagesOf of = PassagesOf::segments;
  Augmentation augmentation = Augmentation::none;  // of augmented ones
  double rate = 0.15;                              // of that
  bool hard_negatives = false;  // a third passage: the second one's tokens in another order
  std::size_t passage = 0;      // tokens of each; of views, and of the text of a picture, at most
  std::int64_t starts = 0;      // how many places of a longest text a pair of segments can start at
  Vocabulary vocabulary = {};

  bool of_views() const { return of == PassagesOf::dropout || of == PassagesOf::augmented; }
  std::int64_t passages() const { return hard_negatives ? 3 : 2; }
};

/// The pair of a text: each passage behind a place for its state, with positions of its own, and a label
/// that says that the second one belongs to the first. All have one length, but for a picture and its text.
/// Segments start at each place
/// alike, which is drawn before it is known whether the text goes that far; where it does not, and where a
/// text has no words, or does not show a picture with some of what stands behind it, there is no pair, and
/// the example is empty. The end of the document is read with its text. The fact "pairs" says which, and "changed"
/// which fraction of the passage each augmented view changes or leaves out.
Example pair_of_passages(const PairedPassages& settings, const Text& text, const Rng& rng);

}  // namespace ablate::objectives
