// A tokenised corpus: one file of a content-addressed cache, mapped into memory.
//
// `ablate` writes it once (from text through a tokenizer, or from the built-in language) and workers
// read it, so that a worker links no tokenizer. A part is a stream of documents, each
// `begin_token, tokens ..., end_token`.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/example.h"

namespace ablate::data {

/// A part of a corpus: what trials train on, or what none of them does.
struct Part {
  std::span<const Token> tokens;
  std::span<const std::uint8_t> marks;  // one set of Mark bits per token, or empty
  std::int64_t documents = 0;
  std::int64_t bytes = 0;  // of raw text behind it; 0 where tokens stand for no text
};

/// A corpus file, read-only; copies share the mapping.
class Corpus {
 public:
  /// Maps the file. Throws DamagedFile where its size, checksum or content contradicts its header,
  /// std::runtime_error where it cannot be read.
  static Corpus open(const std::filesystem::path& file);

  const Part& training() const;
  const Part& held_out() const;

  Token ordinary() const;           // ids of plain text
  const std::string& hash() const;  // SHA-256 of the content; part of every trial's id
  const Json& about() const;  // where it came from: kind, settings, checksums, treatment counts

  /// UTF-8 bytes that an id stands for; 0 for special ids and on the built-in language.
  std::int64_t bytes_of(Token token) const;

  /// An id as `preview` and stored samples print it: a piece of text, or "<mask>" and the like.
  std::string spelled(Token token) const;

 private:
  struct Mapped;
  std::shared_ptr<const Mapped> mapped_;
};

}  // namespace ablate::data
