// Comparing samples of texts at equal entropy: a sharper sampler has better scores and less variety.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// The entropy of the ordinary tokens of all texts together, each token on its own, in nats. High also
/// where every text repeats one token, each another one. 0 where there are none.
double token_entropy(std::span<const std::vector<Token>> texts);

/// The mean over texts of the entropy of a text's own ordinary tokens, in nats: at most the logarithm of
/// their number. High also where all texts are the same. Texts without ordinary tokens are left out; 0
/// where there are no others.
double entropy_within(std::span<const std::vector<Token>> texts);

/// What was drawn at one temperature: a measured value, and the token entropy.
struct EntropyPoint {
  double temperature = 1, value = 0, entropy = 0;
};

/// The value at an entropy, interpolated between the two neighbouring temperatures that enclose it;
/// nothing where none do. `curve`: in the order of temperatures; values that are not finite are left
/// out.
std::optional<double> value_at(std::span<const EntropyPoint> curve, double entropy);

}  // namespace ablate::probes
