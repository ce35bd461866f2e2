// Turns JSON Lines files of texts with a blank into a corpus in the cache: the part of the infilling
// probe that the plan runs. Without LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// A text with a blank, and what stood there.
struct InfillProblem {
  std::string before, middle, after;
};

/// The problems of a file: {"prompt", "canonical_solution", "suffix"} in each line, as in HumanEval
/// infilling (Bavarian et al. 2022, arXiv:2207.14255, section 4). Nothing in them is ever executed.
/// Throws std::runtime_error with file and line where a line has another form.
std::vector<InfillProblem> read_problems(const std::filesystem::path& file);

/// The problems as a corpus: a document of its training part for each. about(): "items", the numbers
/// of tokens [before, middle] by document, and "empty", the number of problems whose middle is empty,
/// which are left out: there is nothing to predict.
data::CorpusContent infill_content(const std::vector<InfillProblem>& problems,
                                   const data::Tokenizer& tokenizer);

/// Whether a model of this context is asked about a middle of so many tokens: it takes at most half of
/// what there is room for beside the marks of a format.
bool middle_fits(std::size_t middle, std::int64_t context);

/// Writes the corpus to the cache and returns `settings` with its hash, "problems_hash", in place of the
/// path.
Json prepare_problems(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
