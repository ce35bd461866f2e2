// Two views of one text that a model should find alike: as it is, or changed at random.
//
// Sources: Gao et al. 2021, "SimCSE", arXiv:2104.08821, section 3 (the text twice); Chen et al. 2020,
// "SimCLR", arXiv:2002.05709, section 3 (two augmentations of one input), for text those of Yan et al.
// 2021, "ConSERT", arXiv:2105.11741, section 3.2, and of Wu et al. 2020, "CLEAR", arXiv:2012.15466,
// section 3.2.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/vocabulary.h"

namespace ablate::objectives {

/// How a view differs from its text.
enum class Augmentation {
  none,
  cut_off,  // each token is a mask with this rate
  crop,     // a stretch of the tokens; the rate is what is left out, rounded down
  shuffle,  // each token changes places with this rate, with another one that does
  replace,  // each token is a uniform ordinary one with this rate
};

/// A view of the tokens, which are ordinary: at least one token.
std::vector<Token> view_of(std::span<const Token> tokens, Augmentation augmentation, double rate,
                           const Vocabulary& vocabulary, Rng rng);

/// The tokens in another order, which a model that counts them does not tell from the text; where every
/// order is the same, one of them is another ordinary token. Never the tokens themselves. Requires: a
/// token, and two ordinary ones in the vocabulary.
std::vector<Token> unlike(std::span<const Token> tokens, const Vocabulary& vocabulary, Rng rng);

}  // namespace ablate::objectives
