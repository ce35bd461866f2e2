// Rounding as in the reference implementations, and costs of probabilities.

#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace ablate::objectives {

/// The nearest whole number; ties go to the even one, as in Python and NumPy.
inline std::int64_t rounded(double value) {
  return static_cast<std::int64_t>(std::nearbyint(value));
}

/// The logarithm of probability 0.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// The cost, in nats, of an outcome whose probability is part / total; infinite if `part` is 0.
inline double negative_log(double part, double total) {
  return part > 0 ? -std::log(part / total) : std::numeric_limits<double>::infinity();
}

}  // namespace ablate::objectives
