// The parameters (dials) of the built-in language, checked for consistency.

#pragma once

#include <cstdint>

#include "harness/contract/params.h"

namespace ablate::data {

/// The parameters of the language; language_params() describes them. Within a block, states are
/// numbered stage by stage. In each stage the first `slots` states emit the document's name, and
/// the last one ends a sentence, where the language has names and sentences. Behind all stages stand
/// the states of the patches, and the end state.
struct Dials {
  std::int64_t topics = 0, names = 0, stages = 0, states = 0;
  std::int64_t vocabulary = 0;
  double sharpness = 0, memory = 0, ambiguity = 0, topic_contrast = 0, floor = 0;
  bool topics_differ_in_words = false;
  double document_length = 0, sentence_length = 0;
  std::uint64_t seed = 0;

  // The picture before the text of a document; no patches: there are none.
  std::int64_t patches = 0, patch_values = 0;
  double patch_noise = 0;

  bool has_names() const { return names > 1; }                // whether there are name slots
  bool has_sentences() const { return sentence_length > 0; }  // whether there are sentence ends

  std::int64_t regular() const { return states - (has_sentences() ? 1 : 0); }  // of one stage
  std::int64_t slots() const;  // of one stage: a sixth of the regular states, at least one
  std::int64_t words() const;  // ids that are neither names nor the sentence end
  std::int64_t text_states() const { return stages * states; }  // of a block, the first ones
  std::int64_t block_states() const { return text_states() + patches + 1; }  // with the end state
  std::int64_t ordinary() const { return vocabulary + patch_values; }        // words, then patches

  /// The word that documents of a name show at their name slots, counted from 0.
  std::int64_t word_of_name(std::int64_t name) const { return words() + name; }

  /// Whether a state of a block ends a sentence.
  bool ends_sentence(std::int64_t state) const {
    return has_sentences() && state < text_states() && state % states == states - 1;
  }

  // Probabilities that follow from the mean lengths.
  double ends_after_sentence() const;  // that the document ends after a sentence end
  double ends_after_token() const;     // that it ends after a token; without sentences
  double sentence_ends() const;        // that the sentence ends after a regular token
  double advances() const;  // that the stage advances after a sentence end within a document
};

/// The dials of a resolved section. Throws std::invalid_argument where they are inconsistent,
/// although each is in range.
Dials dials_of(const Params& params);

}  // namespace ablate::data
