// From the "corpus" section of an experiment file to a tokenised corpus in the cache.

#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "harness/contract/param.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {

/// The kinds of corpus: "language", "text".
std::span<const std::string_view> corpus_kinds();

/// The rows of a kind's section ("kind" itself apart). Throws std::invalid_argument for an unknown
/// kind.
std::span<const Param> corpus_params(std::string_view kind);

/// What a kind of corpus is, in one line.
std::string_view corpus_summary(std::string_view kind);

/// The tokenised corpus of a resolved section ({"kind", ...}), made now or found in `cache`; paths
/// are relative to `base`. Throws std::invalid_argument for what the section asks and cannot be,
/// std::runtime_error for files that cannot be read.
std::filesystem::path prepare_corpus(const Json& section, const std::filesystem::path& base,
                                     const std::filesystem::path& cache);

/// The same of a corpus that shares the vocabulary of another one: text is tokenised as that was,
/// whatever its section says. Throws std::invalid_argument, saying what differs, where a vocabulary
/// cannot be shared.
std::filesystem::path prepare_corpus_like(const Corpus& other, const Json& section,
                                          const std::filesystem::path& base,
                                          const std::filesystem::path& cache);

/// $ABLATE_CACHE, or $XDG_CACHE_HOME/ablate, or ~/.cache/ablate.
std::filesystem::path cache_folder();

}  // namespace ablate::data
