// Lossless tokenizers: the bytes of a text's tokens are the text.

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

/// Turns text into ids and back.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Appends the ids of `text`, all of them ordinary, to `ids`.
  virtual void encode(std::string_view text, std::vector<Token>& ids) const = 0;

  /// The bytes of ordinary id special_count + i; none of patches.
  const std::vector<std::string>& pieces() const { return pieces_; }

  /// Adds ids that no text has, behind all others, for patches of pictures with so many values.
  void reserve_patches(std::int64_t values) {
    patches_ = values;
    pieces_.resize(pieces_.size() + static_cast<std::size_t>(values));
  }

  /// The number of ids of patches, and the first of them.
  std::int64_t patches() const { return patches_; }
  Token first_patch() const {
    return special_count + static_cast<Token>(std::ssize(pieces_) - patches_);
  }

  /// The text of the ids. Special ids, and ids that the vocabulary does not have, are skipped.
  std::string decode(std::span<const Token> ids) const;

 protected:
  /// `pieces`: the bytes of each ordinary id.
  explicit Tokenizer(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

 private:
  std::vector<std::string> pieces_;
  std::int64_t patches_ = 0;
};

/// A tokenizer with one id for each byte: 256 ordinary ids.
std::unique_ptr<Tokenizer> byte_tokenizer();

/// The tokenizer that a corpus section's "tokenizer" ({"kind", "vocabulary"}) describes, trained on
/// `training` or found in `cache`. `about` receives its description for the corpus.
std::unique_ptr<Tokenizer> make_tokenizer(const Json& section,
                                          std::span<const std::string_view> training,
                                          const std::filesystem::path& cache, Json& about);

/// The tokenizer that a corpus was made with, by the corpus's about(). Throws std::invalid_argument
/// where there is none (the built-in language), DamagedFile or std::runtime_error where its model
/// is damaged or no longer in the cache.
std::unique_ptr<Tokenizer> tokenizer_of(const Json& about, const std::filesystem::path& cache);

/// Whether tokenizer_of() would succeed.
bool has_tokenizer(const Json& about, const std::filesystem::path& cache);

}  // namespace ablate::data
