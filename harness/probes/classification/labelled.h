// Labelled documents: drawn from the language with their topics, or read from a labelled corpus.
// Without LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/language/language.h"

namespace ablate::probes {

/// How many documents each split is to hold; fewer where there are fewer.
struct SplitCounts {
  std::int64_t training = 0;
  std::int64_t development = 0;
  std::int64_t test = 0;

  /// Of the classification probe's parameters.
  static SplitCounts of(const Params& params);
  std::int64_t total() const { return training + development + test; }
};

struct Labelled {
  std::vector<std::vector<Token>> documents;  // begin_token, ..., cut to the context
  std::vector<std::int32_t> labels;           // one per document, in [0, names.size())
  SplitCounts counts;                         // the splits, one after the other
  std::vector<std::string> names;             // of the labels
};

/// Documents drawn from the language, labelled by topic: the same for every trial on it.
Labelled topic_documents(const data::Language& language, const SplitCounts& counts,
                         std::int64_t context);

/// The documents of a labelled corpus: its training part holds training and development documents,
/// its held-out part the test documents; `about` holds {"names": [...], "training": [label],
/// "held_out"}. Where the training part is short, development keeps its share of it.
Labelled corpus_documents(const data::Corpus& corpus, const SplitCounts& counts,
                          std::int64_t context);

}  // namespace ablate::probes
