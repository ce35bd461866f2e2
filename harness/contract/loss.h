// A loss is kept as a fraction, total over weight, until it is printed.

#pragma once

#include <optional>
#include <string_view>

namespace ablate {

/// A sum of losses and the sum of their weights. Adding losses is exact over micro-batches, shards
/// and devices.
struct Loss {
  double total = 0;   // nats
  double weight = 0;  // of the targets

  /// Nats per target; none where nothing was scored: that is no loss, and not one of 0.
  std::optional<double> mean() const {
    return weight > 0 ? std::optional(total / weight) : std::nullopt;
  }

  /// Adds totals and weights.
  Loss& operator+=(const Loss& other) {
    total += other.total;
    weight += other.weight;
    return *this;
  }
};

/// How a stated optimum relates to the true one. `lower` and `upper` are bounds. A loss below the
/// optimum reveals a leak only if the optimum is exact or a lower bound.
enum class OptimumKind { none, exact, lower, upper };

/// "exact", "lower", "upper" or "none": the name in records.
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
