// Asking a network for the next token of a blank, in the format of its objective.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/decoding/row_reader.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// A text with a blank in it.
struct Blank {
  std::span<const Token> left;   // from the begin token on
  std::span<const Token> right;  // empty: the blank is at the end; mask tokens: further blanks
  std::size_t tokens = 1;        // that it takes at most
};

/// The example that asks for the token of the blank that follows `filled`: its only scored target.
/// What comes after that one is filled up with an ordinary token, and left out where it does not fit
/// and is not seen. Requires: the subject's objective has a cloze format.
Example next_of_blank(const Subject& subject, const Blank& blank, std::span<const Token> filled);

/// Leaves out the targets after the one that is scored, where they continue the inputs: it does not
/// see them.
void drop_after_scored(Example& example, const Needs& needs);

/// Whether the example fits into the positions that the subject's model has.
bool fits(const Subject& subject, const Example& example);

/// Whether the model has a position for the token of the blank that follows `filled`. Where the number
/// of tokens is told, the whole blank is there from the start, and has room or not.
bool has_room(const Subject& subject, const Blank& blank, std::span<const Token> filled);

/// Throws std::invalid_argument where the blank's example does not fit.
void check_room(const Subject& subject, const Blank& blank, const Example& example);

/// The logits of the one scored target of each example, which are read in one batch: float32,
/// row-major [example, vocabulary]. `reader`: of the subject's network.
std::vector<float> logits_of(const Subject& subject, RowReader& reader,
                             const std::vector<Example>& examples);

}  // namespace ablate::probes
