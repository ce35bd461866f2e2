// Turns the "corpus" section of an experiment file into a tokenised corpus in the cache.

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
  std::string_view summary;            // one line
  std::span<const Param> (*params)();  // the rows of its section, without "kind"

  /// Throws as `prepare` for what can be refused without reading text. `base`: as CorpusRequest.
  /// Null if there is nothing to check.
  void (*check)(const Params& params, const std::filesystem::path& base);

  /// Makes the corpus, or finds it in the cache; returns its file.
  std::filesystem::path (*prepare)(const CorpusRequest& request);
};

/// The kinds of corpus, in alphabetical order.
std::span<const CorpusKind> corpus_kinds();

/// The rows of a kind's section, without "kind". Throws std::invalid_argument for an unknown
/// kind.
std::span<const Param> corpus_params(std::string_view kind);

/// The one-line summary of a kind. Throws as corpus_params().
std::string_view corpus_summary(std::string_view kind);

/// Throws as prepare_corpus() for what can be refused without reading text, such as files that do
/// not exist. Writes nothing.
void check_corpus(const Json& section, const std::filesystem::path& base);

/// Makes the tokenised corpus of a resolved section ({"kind", ...}), or finds it in `cache`;
/// returns its file. Paths are relative to `base`. Throws std::invalid_argument where the section
/// is refused, std::runtime_error where files cannot be read.
std::filesystem::path prepare_corpus(
    const Json& section, const std::filesystem::path& base, const std::filesystem::path& cache,
    const Warn& warn = [](const std::string&) {});

/// The same for a corpus that shares the vocabulary of `other`: text is tokenised in the same way,
/// whatever its section says. Throws std::invalid_argument, saying what differs, where it cannot
/// share the vocabulary.
std::filesystem::path prepare_corpus_like(
    const Corpus& other, const Json& section, const std::filesystem::path& base,
    const std::filesystem::path& cache, const Warn& warn = [](const std::string&) {});

/// The cache: $ABLATE_CACHE, or $XDG_CACHE_HOME/ablate, or ~/.cache/ablate. Throws
/// std::invalid_argument where none of the three is set.
std::filesystem::path cache_folder();

}  // namespace ablate::data
