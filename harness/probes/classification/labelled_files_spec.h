// From JSON Lines files of labelled text to a labelled corpus in the cache: the plan's part of the
// classification probe. Without LibTorch.

#pragma once

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// Lines of a file, each with a text and a label, in an order keyed by nothing but their number.
struct LabelledLines {
  std::vector<std::string> texts;
  std::vector<std::string> labels;
  std::string checksum;    // SHA-256 of the file
  std::int64_t blank = 0;  // lines left out because their text is white space alone
};

/// Reads {"text_field": string, "label_field": string or integer, ...} per line; blank lines are
/// passed over. Throws std::runtime_error with file and line for what is not that.
LabelledLines read_labelled(const std::filesystem::path& file, const std::string& text_field,
                            const std::string& label_field);

/// What `corpus_documents` reads: at most as many documents as `params` ask for, the training
/// file's under `training`, the test file's under `held_out`.
data::CorpusContent labelled_content(const LabelledLines& train, const LabelledLines& test,
                                     const Params& params, const data::Tokenizer& tokenizer);

/// `settings` with "labelled", the hash of the labelled corpus, in place of the files; as they are
/// where they name none.
Json prepare_labelled(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
