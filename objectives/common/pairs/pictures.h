// The exact predictor of which text belongs to a picture.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/chain.h"

namespace ablate::objectives {

/// P(picture[i], text[j] of one document) / P(picture[i]) / P(text[j]), row-major [picture, text]. A
/// text is the first tokens behind the picture, the end token of the document among them where it goes so
/// far. Requires: a language with pictures, and all patches of each.
std::vector<double> picture_ratios(const Chain& language,
                                   std::span<const std::span<const Token>> pictures,
                                   std::span<const std::span<const Token>> texts);

}  // namespace ablate::objectives
