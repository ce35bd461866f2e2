// Filling a blank in a text, by a model of any objective in the format that it was trained on.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/probes/cloze/blanks.h"
#include "harness/probes/probe.h"

namespace ablate::probes {

/// The probabilities of the blank's token that follows `filled`, [ordinary + 1]: of the ordinary ids
/// and, last, of all special ids, by which a sequential format stops. Normalised in double. Throws
/// std::invalid_argument where the text does not fit into a row. Requires: the subject's objective
/// has a cloze format.
std::vector<double> blank_distribution(const Subject& subject, const Blank& blank,
                                       std::span<const Token> filled);

/// The same for several questions in turn, of each of which `reader` reads what is new. It is of the
/// subject's network.
std::vector<double> blank_distribution(const Subject& subject, RowReader& reader,
                                       const Blank& blank, std::span<const Token> filled);

/// The blank's tokens, one after the other: the most probable ones, or where `temperature` is above
/// 0 drawn from the model's distribution at that temperature. Ends at the first special id, or where the
/// row is full.
std::vector<Token> filled(const Subject& subject, const Blank& blank, double temperature, Rng rng);

/// The same for each of several blanks with the most probable tokens, and many of them in one batch.
std::vector<std::vector<Token>> filled_together(const Subject& subject,
                                                std::span<const Blank> blanks);

}  // namespace ablate::probes
