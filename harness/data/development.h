// A corpus to choose settings with: a development part stands in the place of the held-out part.

#pragma once

#include <filesystem>

#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// Makes the corpus of trials that choose a setting, or finds it in `cache`; returns its file. Its
/// held-out part is a development part, and nothing of the held-out part of `corpus` is in it.
///   language, task   the training part stays as it is; as many tokens as are held out are drawn anew
///   text       about `fraction` of the training documents leave the training part, by a draw keyed
///              by each document's content: equal documents stay together
/// Throws std::invalid_argument where all training documents are equal, std::runtime_error where
/// the corpus's tokenizer is lost or the cache cannot be written.
std::filesystem::path development_corpus(const Corpus& corpus, double fraction,
                                         const std::filesystem::path& cache);

}  // namespace ablate::data
