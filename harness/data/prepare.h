// From the "corpus" section of an experiment file to a tokenised corpus in the cache.

#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_cache.h"

namespace ablate::data {

/// A kind of corpus: a row of the table in prepare.cpp.
struct CorpusKind {
  std::string_view name;
  std::string_view summary;            // what it is, in one line
  std::span<const Param> (*params)();  // the rows of its section, "kind" apart

  /// The corpus, made now or found in the cache.
  std::filesystem::path (*prepare)(const CorpusRequest& request);
};

/// The kinds of corpus, in alphabetical order.
std::span<const CorpusKind> corpus_kinds();

/// The rows of a kind's section ("kind" itself apart). Throws std::invalid_argument for an unknown
/// kind.
std::span<const Param> corpus_params(std::string_view kind);

/// What a kind of corpus is, in one line. Throws as corpus_params does.
std::string_view corpus_summary(std::string_view kind);

/// The tokenised corpus of a resolved section ({"kind", ...}), made now or found in `cache`; paths
/// are relative to `base`. Throws std::invalid_argument for a section that cannot be met,
/// std::runtime_error for files that cannot be read.
std::filesystem::path prepare_corpus(const Json& section, const std::filesystem::path& base,
                                     const std::filesystem::path& cache);

/// The same of a corpus that shares the vocabulary of another one: text is tokenised as that was,
/// whatever its section says. Throws std::invalid_argument, saying what differs, where a vocabulary
/// cannot be shared.
std::filesystem::path prepare_corpus_like(const Corpus& other, const Json& section,
                                          const std::filesystem::path& base,
                                          const std::filesystem::path& cache);

/// $ABLATE_CACHE, or $XDG_CACHE_HOME/ablate, or ~/.cache/ablate. Throws std::invalid_argument where
/// none of the three is set.
std::filesystem::path cache_folder();

}  // namespace ablate::data
