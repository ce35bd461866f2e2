// Where one arm overtakes another along a number, such as tokens of text. Deterministic.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ablate::statistics {

/// Where the mean of paired differences changes its sign, with the 95 % confidence set around it.
struct Crossing {
  double at = 0;
  std::optional<double> low, high;  // empty where the set reaches the first or the last place
};

/// How often the mean of the differences changes its sign from place to place; exact zeros are
/// passed over. `differences`: [place][seed], each of the same seeds.
std::size_t sign_changes(const std::vector<std::vector<double>>& differences);

/// The crossing, where there is exactly one change of sign. Between two places every seed's
/// difference is taken to be linear; the confidence set is that of the places, connected to the
/// crossing, at which the paired t-interval contains 0 (an inverted test, as Fieller's interval is:
/// Fieller 1954, Journal of the Royal Statistical Society B 16(2)). Both are exact. Requires: `places` ascend, and
/// each has the differences of the same seeds, at least two.
std::optional<Crossing> crossing_of(std::span<const double> places,
                                    const std::vector<std::vector<double>>& differences);

}  // namespace ablate::statistics
