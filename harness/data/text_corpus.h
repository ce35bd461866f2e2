// Turns files of text into a tokenised corpus.

#pragma once

#include <filesystem>
#include <span>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_cache.h"
#include "harness/data/text/text_marks.h"
#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::data {

/// Raised when a change makes another corpus of the same files and settings.
constexpr int kTextVersion = 1;

/// The rows of a corpus section of kind "text".
std::span<const Param> text_params();

/// Adds a document to the tokens and marks of a corpus: begin token, the tokens of its picture if it has
/// one, text, end token.
void add_document(std::string_view text, const Tokenizer& tokenizer, DocumentMarker& marker,
                  std::vector<Token>& tokens, std::vector<std::uint8_t>& marks,
                  std::span<const Token> picture = {});

/// The rule that has marked a corpus of text, by its about().
MarkRule mark_rule_of(const Json& about);

/// Text that is read and cleaned, but not yet split and tokenised.
class TextCorpus {
 public:
  /// Reads the files of a section; paths are relative to `base`. `tokenizer`: the tokenizer in
  /// another corpus's about(), to be used again; null: the one that `params` describe. Throws as
  /// prepare_corpus().
  TextCorpus(const Params& params, const std::filesystem::path& base,
             const Json& tokenizer = nullptr);
  ~TextCorpus();
  TextCorpus(TextCorpus&&) noexcept;  // the source may only be destroyed

  /// What the corpus is made from: settings and checksums. The same identity gives the same corpus.
  const Json& identity() const;

  /// What the user of its files probably does not mean, a sentence each.
  std::vector<std::string> warnings() const;

  /// Splits the text, trains the tokenizer on the training part only, or finds it in `cache`, and
  /// tokenises. A tokenizer that is used again must be in `cache`. Releases the text as it goes, so
  /// that text, tokens and marks are in memory once; the object may only be destroyed afterwards.
  CorpusContent content(const std::filesystem::path& cache) &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Throws as prepare_corpus() where files of the section are not there, without reading any.
void check_text(const Params& params, const std::filesystem::path& base);

/// Makes the corpus of a section of kind "text", or finds it in the cache; returns its file.
std::filesystem::path prepare_text(const CorpusRequest& request);

}  // namespace ablate::data
