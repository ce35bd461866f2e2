// Turns files of tagged words into a corpus in the cache: the part of the tagging probe that the
// plan runs. Without LibTorch.

#pragma once

#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/probes/tagging/tagged_lines_spec.h"

namespace ablate::probes {

/// The sentences as a corpus: those of `train` as its training part, those of `test` as its held-out
/// part, words joined by a space. about(): "names" (of the tags), and for each part, by document,
/// the token that stands for each word (the first that is not white space alone) and its tag:
/// "training" and "held_out", lists of [position, tag, position, tag ...].
data::CorpusContent tagged_content(const std::vector<TaggedSentence>& train,
                                   const std::vector<TaggedSentence>& test,
                                   const data::Tokenizer& tokenizer);

/// Writes the corpus to the cache and returns `settings` with its hash, "tagged", in place of the
/// files. Notes what the files hold, in which scheme; about() has "schemes", by "train" and "test",
/// where one is not IOB2. Throws std::runtime_error for a file without entities.
Json prepare_tagged(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
