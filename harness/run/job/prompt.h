// A text with blanks, for trained models of every objective to fill.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"

namespace ablate::run {

/// A text with blanks, and what is asked of it.
struct Prompt {
  /// Ids around the blanks, without a begin token: two parts or more, with a blank between any two.
  /// The last is empty where the last blank ends the text.
  std::vector<std::vector<Token>> parts;
  std::int64_t tokens = 8;   // that each blank takes at most
  std::int64_t samples = 2;  // fillings that are drawn, beside the most probable one
  double temperature = 1;    // of the drawn ones
  std::int64_t top = 5;      // most probable first tokens that are told
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prompt, parts, tokens, samples, temperature, top)

}  // namespace ablate::run
