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

/// The number of documents of each split; fewer where there are not enough.
struct SplitCounts {
  std::int64_t training = 0;
  std::int64_t development = 0;
  std::int64_t test = 0;
  std::int64_t cut = 0;  // of all, how many are longer than the context, and read up to its end

  /// The counts that a probe's parameters ask for; no development documents where it has no such
  /// parameter.
  static SplitCounts of(const Params& params);

  /// By "training", "development", "test" and "cut", as measurements keep them; without those of none.
  Json json() const;

  /// The number of documents of all splits.
  std::int64_t total() const { return training + development + test; }
};

/// Documents with their labels.
struct Labelled {
  std::vector<std::vector<Token>> documents;  // begin_token, ..., truncated to the context
  std::vector<std::int32_t> labels;           // one per document, in [0, names.size())
  SplitCounts counts;                         // of training, development and test, in this order
  std::vector<std::string> names;             // the names of the labels
};

/// Documents drawn from the language by the trial's seed and labelled by topic.
Labelled topic_documents(const data::Language& language, const SplitCounts& counts,
                         std::int64_t context, std::int64_t seed);

/// The same documents, labelled by name.
Labelled name_documents(const data::Language& language, const SplitCounts& counts,
                        std::int64_t context, std::int64_t seed);

/// Documents of a labelled corpus, drawn by the trial's seed. Its training part holds training and
/// development documents, its held-out part the test documents; its about() holds {"names": [...],
/// "training": [label], "held_out": [label]}. Where the training part has too few documents, both
/// splits shrink in proportion; where the held-out part has too few, all of it is the test. Throws
/// DamagedFile where labels are missing or out of range.
Labelled corpus_documents(const data::Corpus& corpus, const SplitCounts& counts,
                          std::int64_t context, std::int64_t seed);

}  // namespace ablate::probes
