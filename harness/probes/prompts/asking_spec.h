// Prompts: from text that a user wrote, and from held-out documents. Without LibTorch.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/data/corpus/corpus.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/run/job/prompt.h"

namespace ablate::probes {

/// How a blank is written. More than three underscores are one blank, too.
inline constexpr std::string_view kBlankMark = "___";

/// Turns text into ids.
using Encode = std::function<std::vector<Token>(const std::string& text)>;

/// Encodes as the corpus was encoded: words such as "w12" of the built-in language, or text by
/// `tokenizer`, which is asked only there. The result throws std::invalid_argument for a word that the
/// language does not have. `corpus` outlives it.
Encode encoder_of(const data::Corpus& corpus,
                  const std::function<std::shared_ptr<const data::Tokenizer>()>& tokenizer);

/// The text without the spaces before its blanks. Where tokens are pieces of words, a word begins
/// with its space: one that is left before a blank makes a token that no text has there.
std::string with_spaces_in_blanks(std::string text);

/// A text as models of the corpus are asked about it: with_spaces_in_blanks() where its tokens are pieces
/// of words, or else as it is.
std::string as_asked(const data::Corpus& corpus, std::string text);

/// The parts of a text around its blanks; where it has none, one stands at its end.
std::vector<std::vector<Token>> parts_of(const std::string& text, const Encode& encode);

/// The parts of a text around a blank, and what stood in it.
struct Passage {
  std::vector<std::vector<Token>> parts;
  std::vector<Token> truth;
};

/// A document, from its begin token on, with a blank of `tokens` tokens after its first `position`
/// tokens, or its first third. One that is longer than two thirds of `context` is cut to them, to
/// leave room for what a format adds. Empty where it is too short for the blank.
std::optional<Passage> passage_of(std::span<const Token> document, std::int64_t tokens,
                                  std::int64_t context,
                                  std::optional<std::int64_t> position = std::nullopt);

}  // namespace ablate::probes
