// The texts of a part of a corpus: the tokens that a row reads, and the fragments that a transform
// receives.

#pragma once

#include <vector>

#include "harness/data/batches/layout.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// A range of the part's tokens.
struct Piece {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t room = 0;  // tokens that it could have had if its document did not end
};

/// The number of raw tokens in a range: all but begin tokens and pads.
std::int64_t count_raw(std::span<const Token> tokens);

/// Divides a part of a corpus into texts.
class Texts {
 public:
  /// Texts are windows of `context` tokens, or where documents are padded, pieces of documents of
  /// at most `context` tokens. Requires: the corpus of `part` outlives the texts. Throws
  /// std::invalid_argument where there is no text.
  Texts(const Part& part, const Needs& needs, Packing packing, std::int64_t context);

  /// The number of texts.
  std::int64_t count() const { return count_; }

  /// The number of raw tokens in all texts. Depends on packing and context, not on the needs.
  std::int64_t raw_tokens() const;

  /// The maximum length of a text, in tokens.
  std::int64_t context() const { return static_cast<std::int64_t>(context_); }

  /// The tokens of a text. Requires: text in [0, count()).
  Piece at(std::int64_t text) const;

  /// The pieces of a text that a transform receives: the complete text, or one for each document
  /// where the objective works by document, or where it continues its inputs and documents are
  /// isolated.
  std::vector<Piece> fragments(std::int64_t text) const;

  /// The text of a fragment, with its marks and the document that it is in. The caller sets the
  /// random streams and the progress.
  Text text_of(Piece piece) const;

 private:
  /// The document number `number` of the part.
  Passage document(std::int64_t number) const;

  const Part part_;
  Packing packing_;
  std::size_t context_;
  bool by_document_;
  std::int64_t count_ = 0;
  std::vector<std::size_t> documents_;  // where each starts
  std::vector<Piece> pieces_;           // where documents are padded
};

/// The maximum of two shapes in each count: rows of either shape fit it.
RowShape maximum(const RowShape& a, const RowShape& b);

/// The positions of a row that any text's examples fit, including what the objective adds. Without
/// an encoder they are at least as many as a text has.
RowShape row_shape(const Texts& texts, const Objective& objective);

/// The same for both parts of a corpus: the shape that a network is built for.
RowShape row_shape(const Corpus& corpus, const Objective& objective, Packing packing,
                   std::int64_t context);

}  // namespace ablate::data
