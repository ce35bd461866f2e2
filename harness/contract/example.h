// What an objective is given (Text) and what it returns (Example).

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

/// What is known of a token besides its id; a set of bits.
enum Mark : std::uint8_t {
  no_mark = 0,
  special_mark = 1,   // a special token, such as begin or end: never hidden
  word_mark = 2,      // first token of a word
  sentence_mark = 4,  // first token of a sentence
  patch_mark = 8,     // a patch of the document's picture, which stands before its text
  answer_mark = 16,   // of an answer of a task, which follows from what stands before it
};

/// Tokens with their marks.
struct Passage {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one per token; empty if only the ids are known
};

/// Tokens given to an objective: a window of the corpus, or one document's part of it.
struct Text {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one per token; empty if only the ids are known

  std::int64_t document = 0;  // number of the first token's document, in [0, documents)
  std::int64_t offset = 0;    // of the first token within that document, in tokens
  std::int64_t index = 0;     // of this text in the trial's data order

  /// Tokens that the text could have had: where it is cut if its document does not end before. It does not
  /// depend on what the text says. 0: as many as it has.
  std::int64_t room = 0;

  std::int64_t corpus = 0;  // number of its corpus, of those that the phase draws from
  std::int64_t pass = 0;    // how many times the corpus was read before, and this text with it

  /// Keyed by seed and text, not by step: the same numbers each time this text is read.
  Rng own = Rng(0);

  /// Keyed by seed, document and epoch: the same numbers for all texts of a document within one
  /// pass over the corpus.
  Rng shared = Rng(0);

  double progress = 0;    // fraction of the budget spent before this text is read, in [0, 1)
  std::int64_t row = 0;   // of this text within its step, in [0, rows)
  std::int64_t rows = 1;  // texts in that step

  std::int64_t documents = 0;  // in this part of the corpus; 0 if other documents cannot be read
  std::function<Passage(std::int64_t)> other_document;  // any document by number; may be empty

  /// Whether token i must never be hidden: by its mark or, if there are no marks, by its id.
  bool is_special(std::size_t i) const {
    return marks.empty() ? tokens[i] >= 0 && tokens[i] < special_count : marks[i] & special_mark;
  }
};

/// How one token of the text was hidden from the model.
enum class HiddenAs : std::uint8_t { mask, random, keep, sentinel, deleted, moved };

/// One hidden token of the text.
struct Hidden {
  std::int32_t position;  // in the text
  HiddenAs how;
};

/// What a head must predict that does not take the targets.
struct Label {
  std::int32_t head = 1;  // index among the heads that the objective asks for

  /// In place, or with a partner: index of the place whose state predicts the label. In a
  /// continuation: index of the target that the same state predicts.
  std::int32_t at = 0;

  Token target = 0;  // a token, or a class; not read where there is a partner
  float weight = 1;

  /// Of a head that compares states: index of the place whose state belongs to that at `at`, counted
  /// from the example's first place. Of other heads: -1.
  std::int32_t partner = -1;
};

/// The places [from, until) of an example, counted from its first one; targets that are read come
/// after the inputs. A second interval behind them is seen as well, in the same softmax.
struct Sight {
  std::int32_t from = 0;
  std::int32_t until = 0;
  std::int32_t also_from = 0;  // 0 and 0: none; otherwise at least `until`
  std::int32_t also_until = 0;

  /// Whether there is a second interval.
  bool is_split() const { return also_from < also_until; }
};

/// A number that an objective states about an example, such as {"spm", 1}. The record keeps its
/// mean over all examples that state it.
struct Fact {
  std::string_view name;
  double value = 0;
};

/// One example, before batching and before an architecture is known.
struct Example {
  std::vector<Token> inputs;            // read by the model, never scored
  std::vector<Token> targets;           // to be predicted
  std::vector<float> weights;           // one per target; a target of weight 0 is not scored
  std::vector<Token> shown;             // continuation: what is read in place of the targets, one
                                        // each; empty: the targets
  std::vector<std::int32_t> positions;  // of the inputs, then the targets; empty: 0, 1, 2 ...
  std::vector<std::int32_t> inner;  // second positions, such as those within a span, of the same
                                    // places; empty: 0 throughout
  std::vector<Sight> sees;          // what each place sees, the inputs and in a continuation the
                                    // targets; empty: as the needs say
  std::vector<Hidden> hidden;       // hidden tokens of the text, scored or not, by position
  std::vector<Label> labels;        // of heads that do not take the targets, sorted by
                                    // head and position
  std::vector<Fact> facts;
  std::int32_t member = 0;  // of a mixture: number of the objective that made the example
  std::string_view maker;   // and its name there; lives as long as the program

  /// What the example's total loss is divided by, if not by the sum of its weights. Diffusion
  /// divides by the number of all tokens, while each masked token has weight 1 / t.
  std::optional<float> loss_denominator;
};

/// An example with the text that it was made from.
struct MadeExample {
  const Text& text;
  const Example& example;
};

}  // namespace ablate
