// How initial values are drawn where that is not from one normal distribution.

#pragma once

#include <cmath>
#include <vector>

#include "harness/train/network/network.h"

namespace ablate::models {

/// Each value by itself.
inline train::InitialDistribution each_by(double (*draw)(Rng&)) {
  return [draw](Rng& rng, std::span<float> values) {
    for (float& value : values) value = static_cast<float>(draw(rng));
  };
}

/// These values, which nothing is drawn for.
inline train::InitialDistribution from_table(std::vector<double> table) {
  return [table = std::move(table)](Rng&, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(table.at(i));
  };
}

/// A matrix whose rows are of length `gain` and at right angles, or its columns if it has more rows than
/// columns; uniform over all of these. Takes rows * columns * the smaller of the two operations, a second or
/// two for a matrix of 1024 by 1024. Source: Saxe et al. 2014, arXiv:1312.6120, section 3.
train::InitialDistribution orthogonal(std::int64_t rows, std::int64_t columns, double gain);

}  // namespace ablate::models
