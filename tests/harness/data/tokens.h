// Reserved ids in one letter, so that expected rows of tokens read as pictures.

#pragma once

#include "harness/contract/vocabulary.h"

namespace ablate::data {

inline constexpr Token B = begin_token, E = end_token, P = pad_token;

}  // namespace ablate::data
