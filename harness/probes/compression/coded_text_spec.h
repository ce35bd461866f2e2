// The held-out text that is coded: the same for every arm, and for what arms are set beside. Without
// LibTorch.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/data/corpus/corpus.h"

namespace ablate::probes {

/// Documents whose tokens are coded. Where they end is known to whoever decodes them.
struct CodedText {
  std::vector<std::span<const Token>> documents;  // each from its begin token on, without its end
  std::int64_t tokens = 0;                        // coded: all but the begin tokens
  std::int64_t bytes = 0;                         // of UTF-8 that they stand for; 0 on the language
};

/// Held-out documents of at most `maximum` coded tokens, or all where it is 0. They are drawn once
/// for all trials, and stand in the order of the corpus; the last one drawn is cut to fit. Leaves
/// out documents that have special ids in their text.
CodedText coded_text(const data::Corpus& corpus, std::int64_t maximum);

/// The bytes of all tokens but begin and end tokens, one after the other: those of the text, or on
/// the built-in language, whose tokens have no spelling, each token's number among the ordinary ids
/// in as few whole bytes as the largest needs, the lowest byte first.
std::string bytes_of(const data::Corpus& corpus, std::span<const Token> tokens);

}  // namespace ablate::probes
