// The batches of a trial: a pure function of (corpus, objective, seed, step).

#pragma once

#include <memory>
#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// A batch, and the examples that it was laid out from: their texts point into the corpus.
struct SampledBatch {
  Batch batch;
  std::vector<PlacedExample> examples;
  std::int64_t text_tokens = 0;  // raw tokens read: pads and begin tokens left out
};

struct BatchSettings {
  Packing packing = Packing::isolated;
  std::int64_t rows = 0;     // texts per step
  std::int64_t context = 0;  // tokens in a text
  std::uint64_t seed = 0;
  RowShape shape = {};     // positions of a row; its time 0: as the part's texts need
  std::int64_t steps = 0;  // of all training, for what changes on the way; 0: unknown
};

/// A corpus of a mixture, and the share of the texts that are drawn from it.
struct BatchMember {
  Part part;
  double share = 1;
};

class Batches {
 public:
  /// Requires: part outlives this, as its corpus does. Throws std::invalid_argument where the part
  /// is shorter than one text.
  Batches(const Part& part, Objective objective, BatchSettings settings);

  /// Draws each text from one of several parts, by their shares. Every part has an order of its
  /// own, in which it is read as if it were alone.
  Batches(const std::vector<BatchMember>& members, Objective objective, BatchSettings settings);

  /// Texts in one pass over the part; of several, until one of them has been read once. What is
  /// left over, less than one text, is not read.
  std::int64_t texts() const;

  const RowShape& shape() const;

  /// The batch of a training step: texts in an order keyed by (seed, epoch), every text once an
  /// epoch, corruption keyed by (seed, step, row). Needs nothing but the step, so resuming is
  /// exact.
  SampledBatch step(std::int64_t step) const;

  /// Texts [first, first + count) in the part's own order, corruption keyed by (seed, text): the
  /// same for every arm. Used by probes. Of several parts, the first one's.
  SampledBatch in_order(std::int64_t first, std::int64_t count) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ablate::data
