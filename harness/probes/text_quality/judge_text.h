// Held-out documents in two parts: what a judge is trained on, and what it has not read.

#pragma once

#include <vector>

#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// Documents of a corpus in random order, the first four fifths and the others.
class JudgeText {
 public:
  /// Splits the documents of a part. They are shuffled first, by a fixed key: a corpus of several
  /// files has its documents in the order of the files, and a split of that order would hold one kind
  /// of text against another.
  explicit JudgeText(const data::Part& part);

  /// What the judge is trained on. Refers to this object.
  data::Part trained() const;

  /// The others, each from its begin token to its end token.
  const std::vector<std::vector<Token>>& references() const { return references_; }

 private:
  std::vector<Token> tokens_;
  std::vector<std::uint8_t> marks_;  // one per token, or empty
  std::int64_t documents_ = 0;
  std::vector<std::vector<Token>> references_;
};

}  // namespace ablate::probes
