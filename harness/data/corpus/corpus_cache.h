// A cache of corpora, by what they are made from.

#pragma once

#include <filesystem>
#include <functional>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_write.h"

namespace ablate::data {

/// Takes a warning about the files of a corpus: they can be used, but are probably not what their user
/// means.
using Warn = std::function<void(std::string)>;

/// What a kind of corpus needs to make a corpus.
struct CorpusRequest {
  const Params& params;               // its section, without "kind"
  const std::filesystem::path& base;  // paths are relative to it
  const std::filesystem::path& cache;
  const Json& tokenizer;  // from another corpus's about(), to be used again; null: the section's
  const Warn& warn;
};

/// The corpus in `cache` that was made with this `identity` (settings and checksums; the same
/// identity gives the same corpus). Where there is none, or what belongs to it is lost, writes what
/// `make` returns. `whole`: whether everything that belongs to a corpus is still there, by its
/// about(). Returns the corpus file.
std::filesystem::path made_or_found(
    const Json& identity, const std::filesystem::path& cache,
    const std::function<CorpusContent()>& make,
    const std::function<bool(const Json&)>& whole = [](const Json&) { return true; });

}  // namespace ablate::data
