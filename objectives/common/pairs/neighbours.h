// The exact predictor of which segment follows another one.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/chain.h"

namespace ablate::objectives {

/// P(first[i], second[j] | neighbours) / P(first[i]) / P(second[j]), row-major [first, second], where each
/// alone is one of neighbours, too: how much likelier the two are together than apart. Requires: as below.
std::vector<double> neighbour_ratios(const Chain& language,
                                     std::span<const std::span<const Token>> first,
                                     std::span<const std::span<const Token>> second);

/// P(second[j] follows first[i] | first[i], all of `second`), row-major [first, second], where one of
/// `second`, as likely any of them, follows first[i] in its document, and the others are of documents
/// that have nothing to do with it. A pair starts at any place of the corpus after
/// which there are as many ordinary tokens in the document. Requires: ordinary tokens; segments of
/// equal length.
std::vector<double> neighbour_posteriors(const Chain& language,
                                         std::span<const std::span<const Token>> first,
                                         std::span<const std::span<const Token>> second);

}  // namespace ablate::objectives
