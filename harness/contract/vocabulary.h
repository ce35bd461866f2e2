// The ids that every arm of an experiment shares.

#pragma once

#include <cstdint>
#include <string>

#include "harness/base/error.h"

namespace ablate {

using Token = std::int32_t;

/// The sixteen reserved ids at the bottom of every vocabulary. They are there whether or not an
/// objective uses them, so that all arms share one vocabulary and one set of initial weights.
enum Special : Token {
  pad_token = 0,         // fills a row; never read by another position, never scored
  begin_token = 1,       // stands before a document; never hidden, never scored
  end_token = 2,         // ends a document; the last thing that a causal model predicts of it
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
  special_count = 16,    // 14 and 15 are kept free
};

/// The name of a special id as `preview` prints it, such as "<mask>"; empty for ids that have none.
std::string_view special_name(Token token);

/// The ids: [0, 16) special, [16, 16 + ordinary) plain text, then `sentinels` that stand for one
/// hidden span each, counted down from the top.
struct Vocabulary {
  Token ordinary = 0;
  Token sentinels = 0;

  Token first_ordinary() const { return special_count; }
  Token end_ordinary() const { return special_count + ordinary; }
  Token size() const { return end_ordinary() + sentinels; }
  bool is_ordinary(Token token) const { return token >= special_count && token < end_ordinary(); }

  /// The id of hidden span `index`. Throws std::invalid_argument where the vocabulary reserves
  /// fewer.
  Token sentinel(std::int64_t index) const {
    if (index < 0 || index >= sentinels)
      reject("sentinel ", index, " does not exist: the vocabulary reserves ", sentinels,
             "; hide fewer or longer spans");
    return size() - 1 - static_cast<Token>(index);
  }
};

}  // namespace ablate
