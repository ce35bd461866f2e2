// From text to ids and back, exactly: the bytes of a text's tokens are the text.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"

namespace ablate::data {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Appends the ids of `text`, all ordinary.
  virtual void encode(std::string_view text, std::vector<Token>& ids) const = 0;

  /// The bytes of ordinary id special_count + i.
  const std::vector<std::string>& pieces() const { return pieces_; }

  /// The text of ordinary ids; others stand for nothing.
  std::string decode(std::span<const Token> ids) const;

 protected:
  explicit Tokenizer(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

 private:
  std::vector<std::string> pieces_;
};

/// One id a byte: 256 ordinary ids.
std::unique_ptr<Tokenizer> byte_tokenizer();

/// The tokenizer of a corpus section's "tokenizer" ({"kind", "vocabulary"}), trained on `training`
/// or found in `cache`; `about` becomes what the corpus is to say of it.
std::unique_ptr<Tokenizer> make_tokenizer(const Json& section,
                                          std::span<const std::string_view> training,
                                          const std::filesystem::path& cache, Json& about);

/// The tokenizer that made a corpus, by the corpus' about(). Throws std::invalid_argument where
/// none did (the built-in language), DamagedFile or std::runtime_error where its model is not in
/// the cache any more.
std::unique_ptr<Tokenizer> tokenizer_of(const Json& about, const std::filesystem::path& cache);

}  // namespace ablate::data
