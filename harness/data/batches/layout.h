// Turns examples into the batches that a model reads. This keeps objective and architecture
// separate.
//
// Attention is given by two integers per position: position i attends to j if and only if
// visible_from[i] <= j < visible_until[i]. Causal: [document, i + 1). Bidirectional:
// [document, document end). An empty interval gives zeros, not NaN. Where an objective asks for two
// intervals, a second pair of integers adds what lies behind the first one.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/data/batches/packing.h"

namespace ablate::data {

/// The targets of one head in a batch, ascending by position.
struct Scored {
  HeadNeed need;
  std::vector<std::int32_t> positions;  // row * time + t of the hidden state that predicts
  std::vector<Token> targets;           // tokens, classes, or a partner's row * time + t
  std::vector<float> weights;           // > 0
  double unscored = 0;                  // loss denominator minus the sum of `weights`, see Example

  /// The denominator of the head's loss.
  double weight() const;
};

/// The inputs of an encoder, row-major [rows, time].
struct Source {
  std::int64_t time = 0;
  std::vector<Token> tokens;
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> visible_from;   // in [0, time]
  std::vector<std::int32_t> visible_until;  // in [0, time]
};

/// One lane's batch, row-major [rows, time].
struct Batch {
  std::int64_t rows = 0;
  std::int64_t time = 0;
  std::vector<Token> tokens;
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> visible_from;   // in [0, time]
  std::vector<std::int32_t> visible_until;  // in [0, time]
  std::vector<Scored> scored;               // one per head of the needs, in their order

  // Where the needs say so; empty otherwise.
  std::vector<std::int32_t> also_from;   // in [0, time]: the second interval; 0 and 0: none
  std::vector<std::int32_t> also_until;  // in [0, time]
  std::vector<std::int32_t> inner;       // second positions, in [0, time)
  std::size_t primary = 0;               // Needs::primary()

  // With an encoder: its inputs, and which of them each position sees.
  Source source;
  std::vector<std::int32_t> source_from;   // in [0, source.time]
  std::vector<std::int32_t> source_until;  // in [0, source.time]

  /// The targets of the head that curves and comparisons show.
  const Scored& primary_scored() const { return scored.at(primary); }
};

/// The number of scored targets of all heads that predict tokens.
std::int64_t scored_tokens(const Batch& batch);

/// An example, the text that it was made from, and the row that it is laid out in. Its weights are
/// settled: 0 where the layout cannot score a target (a begin token, before which nothing is read; the first
/// token of a continuation without inputs).
struct PlacedExample {
  Text text;
  Example example;
  std::int64_t row = 0;
};

/// Sets the weights of the targets that the layout cannot score to 0.
void settle(Example& example, const Needs& needs);

/// Lays the examples out in `rows` rows of `shape`, each in the row that it names, in ascending
/// order of rows. Examples of one row follow each other. In a decoder-only model a continuation's
/// targets follow its inputs. With an encoder, the decoder's first input is the begin token (Raffel
/// et al. 2020, arXiv:1910.10683, use the pad token). Throws std::invalid_argument where the
/// examples of a row do not fit.
Batch lay_out(std::span<const PlacedExample> examples, const Needs& needs, Packing packing,
              std::int64_t rows, const RowShape& shape);

}  // namespace ablate::data
