// From examples to what a model reads: objective and architecture are separate axes.
//
// Who may see whom is two integers per position: position i attends to j if and only if
// visible_from[i] <= j < visible_until[i]. Causal: [document, i + 1). Bidirectional:
// [document, document end). An empty interval gives zeros, not NaN.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/data/batches/packing.h"

namespace ablate::data {

/// What one head is to predict in a batch, ascending by position.
struct Scored {
  HeadNeed need;
  std::vector<std::int32_t> positions;  // row * time + t of the hidden state that predicts
  std::vector<Token> targets;           // tokens; classes of a pair
  std::vector<float> weights;           // > 0
  double unscored = 0;  // what the loss's denominator has beyond `weights`, see Example

  /// The denominator of the head's loss.
  double weight() const;
};

/// What an encoder reads: row-major [rows, time].
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

  // Where inputs are read apart: what the encoder reads, and which of it a position sees.
  Source source;
  std::vector<std::int32_t> source_from;   // in [0, source.time]
  std::vector<std::int32_t> source_until;  // in [0, source.time]
};

/// Scored tokens of all heads.
std::int64_t scored_tokens(const Batch& batch);

/// An example with the text that it was made from. Its weights are settled: 0 where the layout does
/// not score a target (a begin token; the first token of a continuation that nothing stands
/// before).
struct PlacedExample {
  Text text;
  Example example;
  std::int64_t row = 0;
};

/// Sets to 0 the weights that the layout will not score.
void settle(Example& example, const Needs& needs);

/// Lays the examples out in `rows` rows of that shape, each in the row that it names. Examples of
/// one row stand one after the other; rows ascend. In one stack a continuation's targets follow its
/// inputs; where inputs are read apart, a begin token stands for what comes before the first target
/// (Raffel et al. 2020, arXiv:1910.10683, use the pad token). Throws std::invalid_argument where a
/// row does not hold its examples.
Batch lay_out(std::span<const PlacedExample> examples, const Needs& needs, Packing packing,
              std::int64_t rows, const RowShape& shape);

}  // namespace ablate::data
