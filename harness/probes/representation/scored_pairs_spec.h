// Pairs of texts with a score of how alike they are, as in files of semantic textual similarity: the
// part of the representation probe that the plan runs. Without LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// Two texts, and how alike people find them.
struct ScoredPair {
  std::string a, b;
  double score = 0;  // on any scale; more is more alike
};

/// The pairs of a file: {"text_a", "text_b", "score"} in each line. Throws std::runtime_error with
/// file and line where a line has another form or one of its texts is blank.
std::vector<ScoredPair> read_scored_pairs(const std::filesystem::path& file);

/// The pairs as a corpus: two documents of its training part for each. about(): "scores".
data::CorpusContent scored_content(const std::vector<ScoredPair>& pairs,
                                   const data::Tokenizer& tokenizer);

/// Whether documents of the built-in language belong together by name, and not by topic.
bool by_name(const Params& settings);

/// Writes the corpora of the settings "pairs", and "train" and "test" as the classification probe
/// does, to the cache. Returns `settings` with their hashes, "pairs" and "labelled", in place of the
/// paths. Throws std::invalid_argument where documents belong together by name and have none.
Json prepare_representation(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
