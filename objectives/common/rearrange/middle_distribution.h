// The law of fill-in-the-middle: where texts are cut, and how likely the targets made of them are.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::objectives {

struct MiddleDistribution {
  double rate = 0;          // probability that a text is transformed
  double spm_rate = 0;      // of those, the fraction that shows the suffix first
  bool first_form = false;  // of SPM: v1, where the prefix has a mark of its own
  bool characters = false;  // ids are bytes, and cuts fall between UTF-8 characters
  bool documents = false;   // whole documents are transformed, not the parts that windows show
};

/// The places where a text of bytes may be cut, ascending: 0, its size, and those between
/// characters.
std::vector<std::size_t> character_places(std::span<const Token> text);

/// -log P(targets | those that stand first and are not scored). The predictor is told how many
/// tokens the window leaves to the document's part, which a model is not: the optimum is a lower
/// one. Requires: the targets are of one document's part, and each is scored but a begin token, or
/// else the first.
Loss optimum_of(const MiddleDistribution& distribution, const Chain& language,
                const Example& example);

/// Every target by its share among all targets that are made of texts of `tokens` scored tokens:
/// each of the four marks is in `rate` of them. As in causal_lm, ids that the unigram does not know
/// are left out.
Loss context_free_of(const MiddleDistribution& distribution, std::span<const double> unigram,
                     const Example& example, double tokens);

}  // namespace ablate::objectives
