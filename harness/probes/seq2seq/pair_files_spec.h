// Turns JSON Lines files of inputs with their outputs into a corpus in the cache: the part of the
// probe seq2seq that the plan runs. Without LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// A line of a file: an input and the outputs that are accepted, at least one.
struct PairLine {
  std::string input;
  std::vector<std::string> outputs;
};

/// The lines of a file: {"input": string, "output": string or list of strings} in each, under the
/// keys that are named. Throws std::runtime_error with file and line where a line has another form,
/// or a blank text.
std::vector<PairLine> read_pair_lines(const std::filesystem::path& file,
                                      const std::string& input_field,
                                      const std::string& output_field);

/// Parameters that say how many pairs are used, and name the files and their keys.
std::vector<Param> pair_params();

/// The numbers of demonstrations in the settings, ascending.
std::vector<std::int64_t> pair_shots(const Params& params);

/// How the names of metrics end that are of so many demonstrations: "_4"; without any, "".
std::string after_shots(std::int64_t shots);

/// The pairs as a corpus: of the training file in its training part, of the test file in its
/// held-out part, ten times as many as `params` ask for at most. A pair is a document: its input,
/// and before each output a separator.
data::CorpusContent pair_content(const std::vector<PairLine>& train,
                                 const std::vector<PairLine>& test, const Params& params,
                                 const data::Tokenizer& tokenizer);

/// Writes the corpus to the cache and returns `settings` with its hash, "pairs", in place of the
/// files, and the texts of prompts as tokens, "prompt": {"before", "after"}. Returns them unchanged where they name no files.
Json prepare_pairs(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
