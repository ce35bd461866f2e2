// Turns JSON Lines files of labelled text into a labelled corpus in the cache: the part of the
// probes that classify which the plan runs. Without LibTorch.

#pragma once

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// The lines of a file, each with a text or a pair of texts and a label, in the order of the file.
struct LabelledLines {
  std::vector<std::string> texts;
  std::vector<std::string> seconds;  // the second texts of pairs; empty where there are none
  std::vector<std::string> labels;
  std::string checksum;    // SHA-256 of the file
  std::int64_t blank = 0;  // lines left out because their text is only white space
};

/// The documents that a labelled corpus has for each one that a trial draws from it.
constexpr std::int64_t kPool = 10;

/// The keys of a line.
struct LabelledFields {
  std::string text, label;
  std::string pair;  // of the second text of a pair; empty: a line has one text
};

/// Reads one {text: string, pair: string, label: string or integer, ...} per line and skips blank
/// lines. Throws std::runtime_error with file and line where a line has another form.
LabelledLines read_labelled(const std::filesystem::path& file, const LabelledFields& fields);

/// The parameters that name labelled text, and how many documents of it are used.
std::vector<Param> labelled_params();

/// Why labelled text cannot be used with the arm's corpus; empty if it can.
std::string labelled_refusal(const Params& params, const ProbedArm& arm);

/// "label_counts": the sizes of training sets that a curve of labels has beside all of it.
Param label_counts_param();

/// Its values, ascending; empty where it is not given.
std::vector<std::int64_t> label_counts(const Params& params);

/// Why they cannot be had; empty if they can.
std::string label_counts_refusal(const Params& params);

/// The labelled corpus from which corpus_documents() draws: at most kPool times as many documents as
/// `params` ask for, so that a long file is not tokenised for a few of them. `training` holds those
/// of the training file, `held_out` those of the test file. Throws std::invalid_argument where the
/// training file has fewer than two labels.
data::CorpusContent labelled_content(const LabelledLines& train, const LabelledLines& test,
                                     const Params& params, const data::Tokenizer& tokenizer);

/// Writes the labelled corpus to the cache and returns `settings` with its hash, "labelled", in
/// place of the files. Returns them unchanged where they name no files. Notes what the files hold,
/// see check_labels().
Json prepare_labelled(const Params& settings, const Preparation& preparation);

/// The same for a probe that compares documents by their labels and learns none.
Json prepare_compared(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
