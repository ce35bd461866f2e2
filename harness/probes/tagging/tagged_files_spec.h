// Turns files of tagged words into a corpus in the cache: the part of the tagging probe that the
// plan runs. Without LibTorch.

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// A sentence: its words, with a tag each.
struct TaggedSentence {
  std::vector<std::string> words, tags;
};

/// The index of the first I tag that continues no entity of its type; the number of tags where there
/// is none.
std::size_t first_stray(std::span<const std::string> tags);

/// The sentences of a file in CoNLL's form: a word and its tag in a line, separated by a tab or
/// blanks (of further columns the last is the tag), and blank lines between sentences. Lines that
/// start with "-DOCSTART-" are left out. Throws std::runtime_error with file and line where a line
/// has another form, or where an I tag continues no entity of its type: tags are IOB2.
std::vector<TaggedSentence> read_tagged(const std::filesystem::path& file);

/// The sentences as a corpus: those of `train` as its training part, those of `test` as its held-out
/// part, words joined by a space. about(): "names" (of the tags), and for each part, by document,
/// the token that stands for each word (the first that is not white space alone) and its tag:
/// "training" and "held_out", lists of [position, tag, position, tag ...].
data::CorpusContent tagged_content(const std::vector<TaggedSentence>& train,
                                   const std::vector<TaggedSentence>& test,
                                   const data::Tokenizer& tokenizer);

/// Writes the corpus to the cache and returns `settings` with its hash, "tagged", in place of the
/// files.
Json prepare_tagged(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
