// The batches of a trial: a pure function of (corpus, objective, seed, step).

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// A batch and the examples that it was laid out from. Their texts point into the corpus.
struct SampledBatch {
  Batch batch;
  std::vector<PlacedExample> examples;
  std::int64_t text_tokens = 0;  // raw tokens read, without pads and begin tokens
};

/// How batches are drawn.
struct BatchSettings {
  Packing packing = Packing::isolated;
  std::int64_t rows = 0;     // texts per step
  std::int64_t context = 0;  // tokens in a text
  std::uint64_t seed = 0;
  RowShape shape = {};     // positions of a row; with time 0: as many as the part's texts need
  std::int64_t steps = 0;  // of the training, for objectives that change with it; 0: unknown
};

/// A member of a mixture of corpora.
struct BatchMember {
  Part part;
  double probability = 1;  // that a text is drawn from it
};

/// Draws batches from a part of a corpus, or from a mixture of parts.
class Batches {
 public:
  /// Requires: the corpus of `part` outlives the batches. Throws std::invalid_argument where the
  /// part is shorter than one text.
  Batches(const Part& part, Objective objective, BatchSettings settings);

  /// Draws each text from one of several parts, by their probabilities. The texts of each part have
  /// the same order as if it were the only one.
  Batches(const std::vector<BatchMember>& members, Objective objective, BatchSettings settings);

  /// The number of texts in one pass over the part; for a mixture, until the first of its parts has
  /// been read once. A remainder shorter than one text is not read.
  std::int64_t texts() const;

  /// The positions of a row.
  const RowShape& shape() const;

  /// The batch of a training step. Texts are in an order keyed by (seed, epoch), each once per
  /// epoch; corruption is keyed by (seed, step, row). It depends only on the step, so resuming is
  /// exact. Throws std::invalid_argument where `step` is negative.
  SampledBatch step(std::int64_t step) const;

  /// Texts by their numbers in the part, one per row, with corruption keyed by (seed, text): the
  /// same for every arm. Used by probes. For a mixture, the texts of its first part. Throws
  /// std::invalid_argument where none is asked for or one is not there.
  SampledBatch read(std::span<const std::int64_t> numbers) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ablate::data
