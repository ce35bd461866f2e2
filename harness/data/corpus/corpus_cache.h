// Corpora that were made before, found by what they are made from.

#pragma once

#include <filesystem>
#include <functional>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_write.h"

namespace ablate::data {

/// What a kind of corpus is asked for.
struct CorpusRequest {
  const Params& params;               // its section, "kind" apart
  const std::filesystem::path& base;  // paths are relative to it
  const std::filesystem::path& cache;
  const Json& tokenizer;  // what another corpus says of the one that made it; null: the section's
};

/// The corpus in `cache` that `identity` (settings and checksums: same identity, same corpus) led to
/// before, or else what `make` returns, written there.
std::filesystem::path made_or_found(const Json& identity, const std::filesystem::path& cache,
                                    const std::function<CorpusContent()>& make);

}  // namespace ablate::data
