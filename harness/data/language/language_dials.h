// The dials of the built-in language, checked together.

#pragma once

#include <cstdint>

#include "harness/contract/params.h"

namespace ablate::data {

/// Within a block, states are numbered stage by stage; of each stage
/// the first `slots` emit the document's name and the last one ends a sentence, where there are
/// any.
struct Dials {
  std::int64_t topics = 0, names = 0, stages = 0, states = 0;
  std::int64_t vocabulary = 0;
  double sharpness = 0, memory = 0, ambiguity = 0, topic_contrast = 0, floor = 0;
  bool topics_differ_in_words = false;
  double document_length = 0, sentence_length = 0;
  std::uint64_t seed = 0;

  bool has_names() const { return names > 1; }
  bool has_sentences() const { return sentence_length > 0; }

  std::int64_t regular() const { return states - (has_sentences() ? 1 : 0); }  // of one stage
  std::int64_t slots() const;  // of one stage: a sixth of the regular ones, at least one
  std::int64_t words() const;  // ids that are neither names nor the sentence end
  std::int64_t block_states() const { return stages * states + 1; }

  bool ends_sentence(std::int64_t state) const {
    return has_sentences() && state < block_states() - 1 && state % states == states - 1;
  }

  // Probabilities, given where they apply.
  double ends_after_sentence() const;  // the document, after a sentence end
  double ends_after_token() const;     // the document, after any token; without sentences
  double sentence_ends() const;        // the sentence, after a regular token
  double advances() const;             // the stage, after a sentence end that is not the document's
};

/// Throws std::invalid_argument where dials that are each in range do not go together.
Dials dials_of(const Params& params);

}  // namespace ablate::data
