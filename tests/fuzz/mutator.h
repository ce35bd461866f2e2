// Makes inputs for fuzz targets out of real ones.

#pragma once

#include <string>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::fuzz {

/// The largest input that is made.
constexpr std::size_t kMaxInput = std::size_t{1} << 16;  // bytes

/// Mutates seeds: small real inputs.
class Mutator {
 public:
  /// Seeds are cut to kMaxInput. Requires: there is at least one.
  explicit Mutator(std::vector<std::string> seeds);

  /// A seed after 1 to 8 mutations: bits flipped, bytes and numbers changed, stretches cut out,
  /// repeated, nested or taken from another seed, and words of a dictionary put in. The same `rng` gives
  /// the same input.
  std::string input(Rng rng) const;

 private:
  std::vector<std::string> seeds_;
};

}  // namespace ablate::fuzz
