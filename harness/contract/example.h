// What an objective is given, and what it makes of it.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"

namespace ablate {

/// What is known of a token apart from its id; a set of bits.
enum Mark : std::uint8_t {
  no_mark = 0,
  special_mark = 1,   // begin, end and their kin: never hidden
  word_mark = 2,      // first token of a word
  sentence_mark = 4,  // first token of a sentence
};

/// Tokens with what is known of each.
struct Passage {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one per token, or empty where only the ids are known
};

/// Tokens given to an objective: a window of the corpus, or one document's part of it.
struct Text {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one per token, or empty where only the ids are known

  std::int64_t document = 0;  // the first token's document, in [0, documents)
  std::int64_t offset = 0;    // of the first token in that document
  std::int64_t index = 0;     // of this text in the trial's data order

  /// Keyed by seed and text, not by step: the same numbers whenever this text is read again.
  Rng own = Rng(0);

  /// Keyed by seed, document and epoch: the same for all texts of a document while the corpus is
  /// read once.
  Rng shared = Rng(0);

  double progress = 0;    // fraction of the budget spent before this text is read, in [0, 1)
  std::int64_t row = 0;   // of the step that reads it, in [0, rows)
  std::int64_t rows = 1;  // texts in that step

  std::int64_t documents = 0;  // of the corpus' part; 0 where others cannot be read
  std::function<Passage(std::int64_t)> other_document;  // by number, its own too; may be empty

  /// Whether token i is never hidden: by its mark, or, without marks, by its id.
  bool is_special(std::size_t i) const {
    return marks.empty() ? tokens[i] >= 0 && tokens[i] < special_count : marks[i] & special_mark;
  }
};

/// How one token of the text was hidden from the model.
enum class HiddenAs : std::uint8_t { mask, random, keep, sentinel, deleted, moved };

struct Hidden {
  std::int32_t position;  // in the text
  HiddenAs how;
};

/// What turns hidden states into a loss.
enum class Head : std::uint8_t { token, future_tokens, pair, embedding };

/// What a head other than the first of the needs is to predict.
struct Label {
  std::int32_t head = 1;  // index into Needs::heads
  std::int32_t at = 0;    // in place: the input whose state predicts; continuation: the target
                          // whose predicting state predicts this too
  Token target = 0;       // a token, or the class of a pair
  float weight = 1;
};

/// A number that an objective says of an example, such as {"spm", 1}. The record keeps its mean
/// over all examples that say it.
struct Fact {
  std::string_view name;
  double value = 0;
};

/// One example, before batching and before an architecture is known.
struct Example {
  std::vector<Token> inputs;            // read, never scored
  std::vector<Token> targets;           // to be predicted
  std::vector<float> weights;           // one per target; 0 leaves that target out
  std::vector<std::int32_t> positions;  // of inputs, then targets; empty: 0, 1, 2 ...
  std::vector<Hidden> hidden;           // what was hidden of the text, scored or not, by position
  std::vector<Label> labels;            // of the other heads, by head and position
  std::vector<Fact> facts;

  /// What the total cost of the example is divided by, where that is not the sum of its weights
  /// (diffusion: all tokens, while the masked ones weigh 1 / t each).
  std::optional<float> loss_denominator;
};

}  // namespace ablate
