// Words as tokens, for small texts that people read.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::data {

/// The most frequent words of documents as a model for words_tokenizer(): as many as fit into `vocabulary`
/// beside the 256 single bytes, or all of them if they are fewer. A word is a run of letters, digits,
/// apostrophes and bytes beyond ASCII, or one other sign, with the space before it, if there is one. Of
/// equally frequent words the first in the order of bytes is taken.
std::string count_words(std::int64_t vocabulary, std::span<const std::string_view> documents);

/// The tokenizer of such a model. Words that it does not have become their bytes, so that any text can be
/// encoded. Throws DamagedFile where `model` is not one.
std::unique_ptr<Tokenizer> words_tokenizer(const std::string& model);

}  // namespace ablate::data
