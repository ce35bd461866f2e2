// The pairs that a subject is fine-tuned on and asked about. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus.h"
#include "harness/probes/seq2seq/pair_tasks.h"

namespace ablate::probes {

/// Pairs in three splits.
struct PairSplits {
  std::vector<TokenPair> training, development, test;
  std::int64_t too_long = 0;  // pairs of the files that do not fit, and are left out
};

/// Tokens that a pair adds to its input and output at most: a begin token, a separator, an end token
/// and the marks of a format.
inline constexpr std::int64_t kPairMarks = 6;

/// The task that the parameters name.
PairTask task_of(const Params& params);

/// Pairs drawn from the language by the trial's seed.
PairSplits language_pairs(const data::Language& language, const Params& params, std::int64_t seed);

/// Pairs of the corpus that prepare_pairs() made, drawn by the trial's seed. Those that take more
/// than `room` tokens, marks included, are left out. Where the training part has too few, training
/// and development pairs shrink in proportion; where the held-out part has too few, all of it is the
/// test. Throws std::invalid_argument where a split is empty, DamagedFile where a document is no
/// pair.
PairSplits corpus_pairs(const data::Corpus& corpus, const Params& params, std::int64_t room,
                        std::int64_t seed);

}  // namespace ablate::probes
