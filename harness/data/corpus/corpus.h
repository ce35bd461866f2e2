// A tokenised corpus: one file of a content-addressed cache, mapped into memory.
//
// `ablate` writes it once, from tokenised text or from the built-in language, and workers read it,
// so that workers need no tokenizer. A part is a sequence of documents, each `begin_token, tokens
// ..., end_token`.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/example.h"

namespace ablate::data {

/// A part of a corpus: the training part or the held-out part.
struct Part {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one set of Mark bits per token, or empty
  std::int64_t documents = 0;
  std::int64_t bytes = 0;  // UTF-8 bytes of raw text; 0 where tokens stand for no text
};

/// A corpus file, read-only. Copies share the mapping.
class Corpus {
 public:
  /// Maps the file. Throws DamagedFile where its size, checksum or content contradicts its header,
  /// std::runtime_error where it cannot be read.
  static Corpus open(const std::filesystem::path& file);

  /// The part that trials train on.
  const Part& training() const;

  /// The part that no trial trains on.
  const Part& held_out() const;

  Token ordinary() const;           // number of ordinary ids
  Token patches() const;            // how many of them, the last ones, are patches of pictures
  const std::string& hash() const;  // SHA-256 of the content; every trial's id depends on it
  const Json& about() const;  // where it came from: kind, settings, checksums, treatment counts

  /// The number of UTF-8 bytes that an id stands for; 0 for special ids and where has_words().
  std::int64_t bytes_of(Token token) const;

  /// The bytes themselves; empty where there are none.
  std::string_view text_of(Token token) const;

  /// The bytes of ids, one after the other; where has_words(), words with spaces between them.
  std::string text_of(std::span<const Token> tokens) const;

  /// An id as `preview` and stored samples print it: a piece of text, or a name such as "<mask>".
  std::string spelled(Token token) const;

  /// Ids for a reader: their pieces, in which a newline is "<0x0A>", or, where has_words(), words with
  /// spaces between them. To compare or to count, take text_of().
  std::string spelled(std::span<const Token> tokens) const;

  /// Whether its ids are words, which stand for no text: those of the built-in language or of a task.
  bool has_words() const;

 private:
  struct Mapped;
  std::shared_ptr<const Mapped> mapped_;
};

}  // namespace ablate::data
