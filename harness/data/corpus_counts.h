// What a corpus holds, and what a reader of a plan should know about it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// {"hash", "training": {"documents", "bytes", "tokens"}, "held_out": {the same},
/// "held_out_fraction": of all tokens, "held_out_share": the fraction of documents that was asked
/// for, "copies": {"training", "held_out"}: documents that are equal to an earlier one of their
/// part}. Bytes are null where tokens stand for no text, the share is null where none was given; there are no copies where the corpus
/// does not know them.
Json counts_of(const Corpus& corpus);

/// Warnings about a corpus that can be trained on but is probably not what its user means: the
/// held-out part is much larger or smaller than asked for, documents are in both parts, or text is
/// not UTF-8. `name` stands for
/// the corpus in each of them.
std::vector<std::string> warnings_about(const Corpus& corpus, std::string_view name);

/// How many documents of `training` are also in `held_out`, token for token.
std::int64_t held_out_documents(const Part& training, const Part& held_out);

}  // namespace ablate::data
