// From files of text to a tokenised corpus.

#pragma once

#include <filesystem>
#include <span>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_cache.h"

namespace ablate::data {

/// Raised when the same files and settings make another corpus.
constexpr int kTextVersion = 1;

/// The rows of a corpus section of kind "text".
std::span<const Param> text_params();

/// Text that is read and cleaned, but not yet split and tokenised.
class TextCorpus {
 public:
  /// Reads the files of a section; paths are relative to `base`. Throws as prepare_corpus does.
  /// `tokenizer`: what another corpus says of the one that made it, to be used again; null: as
  /// `params` say.
  TextCorpus(const Params& params, const std::filesystem::path& base,
             const Json& tokenizer = nullptr);
  ~TextCorpus();
  TextCorpus(TextCorpus&&) noexcept;

  /// What the corpus is made from: settings and checksums. Same identity, same corpus.
  const Json& identity() const;

  /// Splits, trains the tokenizer on the training part alone (or finds it in `cache`, as one that
  /// is used again must be), and tokenises.
  CorpusContent content(const std::filesystem::path& cache) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// The corpus of a section of kind "text", made now or found in the cache.
std::filesystem::path prepare_text(const CorpusRequest& request);

}  // namespace ablate::data
