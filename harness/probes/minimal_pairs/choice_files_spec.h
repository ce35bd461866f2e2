// Turns JSON Lines files of choices (minimal pairs among them) into a corpus in the cache: the part
// of the minimal-pairs probe that the plan runs. Without LibTorch.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// One question: which completion of the prefix is the right one?
struct Choice {
  std::string prefix;                    // may be empty
  std::vector<std::string> completions;  // at least two, or one that was timed; none empty
  std::size_t right = 0;       // index of the right completion; 0 where it is not asked for
  std::vector<double> ratios;  // how people rated each completion, or how long they read it; empty:
                               // not asked for
  std::string group;           // such as BLiMP's paradigm (UID)
  std::string field;           // such as BLiMP's field; empty where a line has none
};

/// What a file says of completions: which one is right, how people rated them, or, of a single one,
/// how long people read it.
enum class ChoiceKind { labelled, rated, timed };

/// The choices of the JSON Lines files: of one, or of all *.jsonl of a folder by name. A line is
/// {"sentence_good", "sentence_bad", "UID", "field"} as in BLiMP (Warstadt et al. 2020,
/// arXiv:1912.00582), or {"prefix", "completions", "label", "group", "field"}, of which prefix,
/// group and field may be left out. BLiMP spells one field in two ways: '/' becomes '_'. Rated ones
/// have "ratios" in place of the label: a number for each completion, none negative and not all 0.
/// Timed ones have one completion and one ratio above 0, a time.
/// Throws std::runtime_error with file and line where a line has another form.
std::vector<Choice> read_choices(const std::filesystem::path& path,
                                 ChoiceKind kind = ChoiceKind::labelled);

/// The choices as a corpus: a document of the training part for each completion, from its begin
/// token to its end token. about(): "groups" and "fields" (names), "items" ([group, field, right
/// completion, completions]), "prefix_tokens" and "characters" (of the completion, by document); of
/// rated choices also "ratios" (by document), as fractions of their sum over an item; of timed ones
/// as the file has them. "marks" where the rule of Unicode finds the words.
/// `per_group`: the most items of a group, in the order of the file; 0: all.
data::CorpusContent choice_content(const std::vector<Choice>& choices, std::int64_t per_group,
                                   const data::Tokenizer& tokenizer);

/// The most tokens of a completion with its prefix, begin and end tokens included, that a model of
/// this context is asked about.
std::size_t room_for_choices(std::int64_t context);

/// Spec of the probes of choices: those that do not fit, because one of their completions does not.
Misfits choice_misfits(const Json& prepared, const Params& params, const ProbedArm& arm,
                       const std::filesystem::path& cache);

/// Writes the corpus to the cache and returns `settings` with its hash, "choices", in place of the
/// path.
Json prepare_choices(const Params& settings, const Preparation& preparation, ChoiceKind kind);

}  // namespace ablate::probes
