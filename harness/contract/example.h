// What an objective is given, and what it makes of it.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate {

/// What is known of one token of a text beside its id; a set of bits.
enum Mark : std::uint8_t {
  no_mark = 0,
  special_mark = 1,   // begin, end and their kin: never hidden
  word_mark = 2,      // first token of a word
  sentence_mark = 4,  // first token of a sentence
};

/// Tokens given to an objective: a window of the corpus, or one document's part of it.
struct Text {
  std::span<const Token> tokens;
  std::span<const std::uint8_t>
      marks;                  // one per token, or empty where nothing is known but the ids
  std::int64_t document = 0;  // the first token's document
  std::int64_t index = 0;     // of this text in the trial's data order
  std::function<std::span<const Token>(std::int64_t)> other_document;  // for pairs; may be empty

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

/// One example, before batching and before an architecture is known.
struct Example {
  std::vector<Token> inputs;            // read, never scored
  std::vector<Token> targets;           // to be predicted
  std::vector<float> weights;           // one per target; 0 leaves that target out
  std::vector<std::int32_t> positions;  // of inputs, then targets; empty: 0, 1, 2 ...
  std::vector<Hidden> hidden;           // what was hidden of the text, scored or not, by position
  Head head = Head::token;
};

}  // namespace ablate
