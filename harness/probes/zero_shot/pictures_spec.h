// The pictures and classes that the zero-shot probe asks about, in the cache: the part of the probe that
// the plan runs. Without LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/contract/probe.h"
#include "harness/data/corpus/corpus_write.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::probes {

/// Pictures with the names of their classes.
struct LabelledPictures {
  std::vector<std::vector<Token>> patches;  // of each picture, counted from 0
  std::vector<std::string> labels;          // of each picture
};

/// The keys of a line, and how many values a patch may have.
struct PictureFields {
  std::string patches, label;
  std::int64_t values = 0;
};

/// The pictures of a file: {patches: [integer], label: string or integer} in each line. Throws
/// std::runtime_error with file and line where a line has another form.
LabelledPictures read_labelled_pictures(const std::filesystem::path& file,
                                        const PictureFields& fields);

/// The pictures as a corpus: its training part holds a text for each class, `wording` with the class's name
/// in place of "{}"; its held-out part holds the pictures. about(): "names" of the classes, "labels" of the
/// pictures. Throws std::invalid_argument where there are fewer than two classes.
data::CorpusContent picture_content(const LabelledPictures& pictures, const std::string& wording,
                                    const data::Tokenizer& tokenizer);

/// Writes the corpus of the setting "test" to the cache and returns `settings` with its hash, "pictures",
/// in place of the path. Of the built-in language there is nothing to write. Throws std::invalid_argument
/// where the corpus has no pictures, or documents of the language have no names.
Json prepare_zero_shot(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
