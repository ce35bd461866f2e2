// The ids that every arm of an experiment shares, and where documents end among them.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/base/error.h"

namespace ablate {

/// The id of a token.
using Token = std::int32_t;

/// The sixteen reserved ids at the start of every vocabulary. They are reserved whether or not an
/// objective uses them, so that all arms share one vocabulary and one set of initial weights.
enum Special : Token {
  pad_token = 0,         // fills a row; never read by another position, never scored
  begin_token = 1,       // stands before a document; never hidden, never scored
  end_token = 2,         // ends a document; the last token that a causal model predicts
  separator_token = 3,   // between the two parts of a pair
  mask_token = 4,        // stands for one hidden token
  classify_token = 5,    // where a pair's label is predicted
  prefix_token = 6,      // fill-in-the-middle: the part before
  middle_token = 7,      // the hidden part
  suffix_token = 8,      // the part after
  end_middle_token = 9,  // ends the hidden part
  mode_r_token = 10,     // mixtures of denoisers: regular
  mode_s_token = 11,     // sequential
  mode_x_token = 12,     // extreme
  unknown_token = 13,    // a tokenizer's unknown piece
  special_count = 16,    // 14 and 15 are not used yet
};

/// The name of a special id as `preview` prints it, such as "<mask>"; empty for all other ids.
std::string_view special_name(Token token);

/// The end of the document, or part of one, that starts at `first`: after its end token, before the
/// next begin token, or at the end of `tokens`.
std::size_t document_end(std::span<const Token> tokens, std::size_t first);

/// The ids: [0, 16) are special, [16, 16 + ordinary) are text, and the rest are sentinels, each of
/// which stands for one hidden span. Sentinels are counted down from the largest id.
struct Vocabulary {
  Token ordinary = 0;
  Token sentinels = 0;

  Token first_ordinary() const { return special_count; }           // the first id of text
  Token end_ordinary() const { return special_count + ordinary; }  // one past the last id of text
  Token size() const { return end_ordinary() + sentinels; }        // the number of all ids

  /// Whether the id is one of text.
  bool is_ordinary(Token token) const { return token >= special_count && token < end_ordinary(); }

  /// The sentinel of hidden span `index`, counted from 0. Throws std::invalid_argument if the
  /// vocabulary does not reserve as many.
  Token sentinel(std::int64_t index) const {
    if (index < 0 || index >= sentinels)
      reject("sentinel {} does not exist: the vocabulary reserves {}; hide fewer or longer spans",
             index, sentinels);
    return size() - 1 - static_cast<Token>(index);
  }
};

}  // namespace ablate
