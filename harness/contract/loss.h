// A loss is a fraction until it is printed.

#pragma once

#include <string_view>

namespace ablate {

/// Total cost over total weight, both summed: exact over micro-batches, shards and devices.
struct Loss {
  double total = 0;   // nats
  double weight = 0;  // targets, by weight

  /// Nats per target; 0 where nothing was scored.
  double mean() const { return weight > 0 ? total / weight : 0; }

  Loss& operator+=(const Loss& other) {
    total += other.total;
    weight += other.weight;
    return *this;
  }
};

/// How a stated optimum relates to the true one. Only exact and lower ones can show a leak.
enum class OptimumKind { none, exact, lower, upper };

constexpr std::string_view name_of(OptimumKind kind) {
  switch (kind) {
    case OptimumKind::exact:
      return "exact";
    case OptimumKind::lower:
      return "lower";
    case OptimumKind::upper:
      return "upper";
    case OptimumKind::none:
      break;
  }
  return "none";
}

}  // namespace ablate
