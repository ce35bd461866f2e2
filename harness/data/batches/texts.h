// The texts of a part of a corpus: which stretches of it a row reads, and which of those a
// transform is given as one.

#pragma once

#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// A stretch of the part's tokens.
struct Piece {
  std::size_t first = 0;
  std::size_t count = 0;
};

class Texts {
 public:
  /// Windows of `context` tokens, or the documents' pieces of at most that where documents are
  /// padded. Requires: part outlives this. Throws std::invalid_argument where there are none.
  Texts(const Part& part, const Needs& needs, Packing packing, std::int64_t context);

  std::int64_t count() const { return count_; }
  std::int64_t context() const { return static_cast<std::int64_t>(context_); }
  Piece at(std::int64_t text) const;

  /// What a transform is given of a text: all of it, or each document's part where the objective
  /// works by document, or continues and documents are isolated.
  std::vector<Piece> fragments(std::int64_t text) const;

  /// The fragment with what is known of it; seeds and steps are the caller's.
  Text text_of(Piece piece) const;

 private:
  Passage document(std::int64_t number) const;

  const Part part_;
  Packing packing_;
  std::size_t context_;
  bool by_document_;
  std::int64_t count_ = 0;
  std::vector<std::size_t> documents_;  // where each starts
  std::vector<Piece> pieces_;           // where documents are padded
};

/// The larger of two shapes, by each count: rows of both fit it.
RowShape maximum(const RowShape& a, const RowShape& b);

/// Positions of a row that holds the examples of any text of the part, whatever an objective adds:
/// at least as many as a text has, where one stack reads all.
RowShape row_shape(const Texts& texts, const Objective& objective);

/// The same for both parts of a corpus: what a network is built for.
RowShape row_shape(const Corpus& corpus, const Objective& objective, Packing packing,
                   std::int64_t context);

}  // namespace ablate::data
